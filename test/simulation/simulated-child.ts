import { Observable, ReplaySubject, Subject } from "rxjs";
import type { Outcome, RunEvent, RunInputs, Spend, StopRequest, Verdict } from "../../src/streams/index.ts";
import type { Delegation } from "./delegation.ts";
import { type Call, type ChildManners, stopGrace } from "./script.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** What a child tells the world beside its own events. */
export interface ChildWitness {
	spent(spend: Spend): void;
	read(message: string): void;
	/** An input errors, which none of them ever does. */
	failed(error: unknown): void;
	/** The subscription is over, by its own end or by its owner. */
	left(): void;
}

/** A pause in milliseconds, something to say, the end of the session's turn, or something that takes its own time. */
type Beat = number | RunEvent | "boundary" | (() => void) | { readonly until: (go: () => void) => void };

const session = { model: "local/child", thinking: "off", tools: ["read"] };
const longText = "many words ".repeat(3_000);

/** One run of a child with these manners: what the host does for a real one, with everything that can go wrong. */
export function simulatedRun(
	manners: ChildManners,
	{ stop$, steering }: RunInputs,
	clock: VirtualClock,
	witness: ChildWitness,
	delegate?: () => Delegation,
): Observable<RunEvent> {
	if (manners.ends === "throws") throw new Error("no session could be made");
	const isDeaf = manners.stopped === "deaf" || manners.stopped === "late";
	return new Observable((subscriber) => {
		const boundary$ = new Subject<void>();
		const delegation = delegate?.();
		let plan: Iterator<Beat> | undefined;
		let stopped: StopRequest | undefined;
		let settled = false;

		const say = (event: RunEvent): void => {
			if (!subscriber.closed && "spend" in event) witness.spent(event.spend);
			if (event.type === "settled") settled = true;
			subscriber.next(event);
		};
		const play = (beats: Iterator<Beat>): void => {
			plan = beats;
			while (plan === beats && !subscriber.closed) {
				const { value, done } = beats.next();
				if (done) return;
				if (typeof value === "number") {
					if (value === 0) continue;
					clock.after(value, () => {
						if (plan === beats) play(beats);
					});
					return;
				}
				if (value === "boundary") boundary$.next();
				else if (typeof value === "function") value();
				else if ("until" in value) {
					value.until(() => {
						if (plan === beats) play(beats);
					});
					return;
				} else say(value);
			}
		};
		const outcome = (verdict: Verdict, text: string): Outcome => {
			const unread = steering.drain().filter((message) => message.from === "parent");
			return { verdict, text, unread: unread.map((message) => message.text) };
		};
		const ending = {
			settle: (): RunEvent => ({ type: "settled", outcome: outcome(...verdictOf(manners, stopped)) }),
			error: () => subscriber.error(new Error("the child died")),
			complete: () => subscriber.complete(),
		};
		const expire = (): void => {
			if (!settled) say(ending.settle());
			const atRest$ = new ReplaySubject<void>(1);
			say({ type: "closed", how: "grace_expired", ...(manners.stopped === "late" ? { atRest$ } : {}) });
			subscriber.complete();
			clock.after(stopGrace, () => atRest$.next());
		};

		subscriber.add(
			steering.deliver(boundary$).subscribe({
				next: (batch) => {
					for (const message of batch) {
						if (message.from === "parent") witness.read(message.text);
						say({ type: "steering_read", message: message.text, limit: message.from === "limit" });
					}
				},
				error: witness.failed,
			}),
		);
		subscriber.add(witness.left);
		if (delegation !== undefined) subscriber.add(delegation.close);
		subscriber.add(
			stop$.subscribe({
				next: (request) => {
					// Whoever has settled is told too late: what it came to is its own.
					if (settled || stopped !== undefined) return;
					stopped = request;
					if (isDeaf) clock.after(stopGrace, expire);
					else {
						delegation?.close();
						play(stopping(manners, ending));
					}
				},
				error: witness.failed,
			}),
		);
		if (stopped === undefined || isDeaf) play(life(manners, ending, delegation));
	});
}

interface Ending {
	settle(): RunEvent;
	error(): void;
	complete(): void;
}

function* life(manners: ChildManners, ending: Ending, delegation: Delegation | undefined): Generator<Beat> {
	const { ready = 5, turns = 1, pace = 10, ends, own = [] } = manners;
	if (ready === "never") return;
	yield ready;
	yield { type: "session_ready", session };
	yield "boundary";
	const dies = ends === "errors" || ends === "vanishes";
	let turn = 0;
	for (const calls of own) yield* oneTurn(pace, true, ++turn, { delegation, calls });
	for (const last = turn + turns; turn < last; ) {
		turn++;
		yield* oneTurn(pace, turn < last || dies, turn);
	}
	if (ends === "hangs") return;
	if (dies) {
		// In the middle of a turn, where a message may be waiting for its boundary.
		yield { type: "turn_started" };
		yield pace;
		yield ends === "errors" ? ending.error : ending.complete;
	} else {
		// Whose provider has failed would fail again.
		if (delegation !== undefined && ends !== "provider_error") yield* held(pace, turn, delegation);
		if (ends === "closes_first") yield { type: "closed", how: "verified" };
		yield ending.settle();
		if (ends === "settles_twice") yield ending.settle();
		yield* closing(manners, manners.closing ?? 0, ending);
	}
}

/** It does not settle while something of its own goes on, and goes on itself with whatever comes. */
function* held(pace: number, before: number, delegation: Delegation): Generator<Beat> {
	for (let turn = before + 1; ; turn++) {
		let goesOn = false;
		yield {
			until: (go) =>
				delegation.hold((found) => {
					goesOn = found;
					go();
				}),
		};
		if (!goesOn) return;
		yield "boundary";
		yield* oneTurn(pace, false, turn, { delegation });
	}
}

/** What a turn has to do with agents of its own. */
interface Own {
	readonly delegation: Delegation | undefined;
	readonly calls?: readonly Call[];
}

function* oneTurn(pace: number, continues: boolean, turn: number, own?: Own): Generator<Beat> {
	yield pace;
	yield { type: "turn_started" };
	yield () => own?.delegation?.begun();
	yield { type: "text_delta", delta: "one word " };
	yield pace;
	yield { type: "message_ended", text: `words of turn ${turn}`, spend: spend(10) };
	yield () => own?.delegation?.asked();
	if (continues) {
		const tool = { toolCallId: `tool${turn}`, toolName: "bash" };
		yield { type: "tool_started", ...tool };
		const { delegation, calls } = own ?? {};
		if (delegation !== undefined && calls !== undefined) yield { until: (go) => delegation.call(calls, go) };
		else yield pace;
		yield { type: "tool_ended", ...tool, isError: false };
	}
	if (turn % 4 === 0) yield { type: "compacted", spend: spend(3) };
	yield { type: "turn_ended", continues };
	yield "boundary";
}

function* stopping(manners: ChildManners, ending: Ending): Generator<Beat> {
	const { settle, close } = typeof manners.stopped === "object" ? manners.stopped : { settle: 0, close: 0 };
	yield settle;
	yield ending.settle();
	yield* closing(manners, close, ending);
}

function* closing({ talksOn }: ChildManners, pause: number, ending: Ending): Generator<Beat> {
	if (talksOn) yield* afterwards(2);
	yield pause;
	if (talksOn) yield* afterwards(7);
	yield { type: "closed", how: "verified" };
	if (talksOn) {
		yield* afterwards(4);
		yield pause;
	}
	yield ending.complete;
}

/** What no session that has ended should say. */
function* afterwards(tokens: number): Generator<Beat> {
	yield { type: "turn_started" };
	yield { type: "tool_started", toolCallId: "late", toolName: "bash" };
	yield { type: "text_delta", delta: "too late" };
	yield { type: "message_ended", text: "too late", spend: spend(tokens) };
	yield { type: "turn_ended", continues: true };
}

/** Money in fractions that add up without a rest. */
function spend(tokens: number): Spend {
	return { input: tokens, output: 1, cacheRead: tokens * 2, cacheWrite: 0, cost: tokens / 1024 };
}

function verdictOf({ ends, long }: ChildManners, stopped: StopRequest | undefined): [Verdict, string] {
	if (stopped !== undefined) return [stopped, "partial work"];
	if (ends === "empty") return [{ status: "completed", reason: "empty" }, ""];
	if (ends === "truncated") return [{ status: "completed", reason: "truncated" }, "not who"];
	if (ends === "provider_error") return [{ status: "error", reason: "provider_error" }, "partial work"];
	return [{ status: "completed", reason: "done" }, long ? longText : "the answer"];
}
