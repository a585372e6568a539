import { Observable, type SchedulerLike, Subject } from "rxjs";
import { refCountClaim } from "../../src/operators/index.ts";
import {
	type AgentRecord,
	createOutbox,
	type Note,
	type Outbox,
	type ParentActivity,
	type Publishable,
	type RunKey,
	reduceRecord,
	runKey,
	type TerminalRecord,
	toCorrelationId,
} from "../../src/streams/index.ts";
import { newRecord } from "../../src/streams/record.ts";
import { agentId, doneOutcome, testConfig } from "./run-script.ts";

/** A background agent's record once it has ended. */
export function terminalRecord(name: string): TerminalRecord {
	const from = { agentId: agentId(name), correlationId: toCorrelationId(name), description: name, config: testConfig };
	const queued: AgentRecord = newRecord({ ...from, background: true }, 0);
	return reduceRecord(queued, { type: "settled", outcome: doneOutcome }, 1) as TerminalRecord;
}

/** An outbox over a parent that does as it is told, and what reached that parent. */
export interface OutboxFixture {
	readonly outbox: Outbox;
	/** One result, published once it has settled and is not read before. */
	result(name: string, how?: { readonly quiet: boolean }): { readonly publishable: Publishable; settle(): void };
	activity(next: ParentActivity): void;
	/** What woke the parent: the keys of each message, joined by `+`. */
	readonly woken$: Observable<string>;
	/** What the parent's session holds. */
	readonly committed: Set<RunKey>;
	readonly said: string[];
	/** How often the session was asked what it holds. */
	asked: number;
	/** Whether the host takes a message now, or what it throws instead. */
	takes: boolean | Error;
	/** How often the host has refused a note. */
	refusals: number;
}

/** A host that is asked more often than this is asked without a pause: it then gives in, so that the test ends. */
const mostRefusals = 100;

export function outboxFixture(scheduler: SchedulerLike): OutboxFixture {
	const publishable$ = new Subject<Publishable>();
	const activity$ = new Subject<ParentActivity>();
	const woken$ = new Subject<string>();
	const committed = new Set<RunKey>();
	const said: string[] = [];
	const fixture = {
		takes: true as boolean | Error,
		asked: 0,
		refusals: 0,
		committed,
		said,
		woken$: woken$.asObservable(),
		activity: (next: ParentActivity) => activity$.next(next),
		result: (name: string, how = { quiet: false }) => {
			const record = terminalRecord(name);
			const settled$ = new Subject<TerminalRecord>();
			const claim = refCountClaim(settled$);
			claim.connect();
			const publishable: Publishable = { key: runKey(record.agentId, record.run), claim, quiet: () => how.quiet };
			publishable$.next(publishable);
			return {
				publishable,
				settle: () => {
					settled$.next(record);
					settled$.complete();
				},
			};
		},
	};
	const outbox = createOutbox({
		publishable$,
		activity$,
		scheduler,
		port: {
			wake: (note) => {
				if (fixture.takes !== true) fixture.refusals++;
				if (fixture.refusals > mostRefusals) fixture.takes = true;
				if (fixture.takes instanceof Error) throw fixture.takes;
				if (fixture.takes) woken$.next(keysOf(note));
				return fixture.takes;
			},
			committed: () => {
				fixture.asked++;
				return committed;
			},
			notify: (text) => said.push(text),
		},
		compose: (records) => {
			const delivery = records.map((record) => runKey(record.agentId, record.run));
			return { text: delivery.join(" "), deliveries: delivery, details: { delivery, agents: [] } };
		},
	});
	return Object.assign(fixture, { outbox });
}

/** The keys of a note, joined by `+`. */
export function keysOf(note: Note | undefined): string {
	return note?.deliveries.join("+") ?? "nothing";
}

/** Runs `steps` at the frames of a marble string, as a stream without values: its subscription is what runs them. */
export function script(source$: Observable<string>, steps: Readonly<Record<string, () => void>>): Observable<never> {
	return new Observable((subscriber) =>
		source$.subscribe({
			next: (letter) => steps[letter]?.(),
			error: (error: unknown) => subscriber.error(error),
			complete: () => subscriber.complete(),
		}),
	);
}
