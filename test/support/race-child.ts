import { Observable, Subject, type Subscriber, Subscription } from "rxjs";
import type { RunEvent, RunInputs, RunSpec, StartRun, StopRequest } from "../../src/streams/index.ts";
import { verdictLetter } from "./race-letters.ts";
import { doneOutcome, failedOutcome, runEvents } from "./run-script.ts";

/** Children that say what the letters of their rows say, as long as somebody has subscribed to their run. */
export interface ScriptedChild {
	readonly startRun: StartRun;
	/** Of the run with that row: nothing when nobody is subscribed. */
	say(row: string, letter: string): void;
}

interface LiveRun {
	readonly subscriber: Subscriber<RunEvent>;
	readonly inputs: RunInputs;
	readonly boundary$: Subject<void>;
	told?: StopRequest;
}

/** The label of a run's row: `run A`, and `run A#2` for a resume. */
export function runLabel({ agentId, run }: Pick<RunSpec, "agentId" | "run">): string {
	return `run ${agentId.replace(/^agent-/, "")}${run === 1 ? "" : `#${run}`}`;
}

/** `note` gets the subscription of each run (`^`, `!`), the stops that reach it and the messages that it reads. */
export function scriptedChild(note: (row: string, letter: string) => void): ScriptedChild {
	const live = new Map<string, LiveRun>();

	const startRun: StartRun = (spec, inputs) =>
		new Observable((subscriber) => {
			const row = runLabel(spec);
			const name = row.slice("run ".length);
			const run: LiveRun = { subscriber, inputs, boundary$: new Subject() };
			const owned = new Subscription();
			note(row, "^");
			live.set(row, run);
			owned.add(
				inputs.stop$.subscribe({
					next: (request) => {
						run.told = request;
						note(`told ${name}`, verdictLetter(request));
					},
					error: raise,
				}),
			);
			owned.add(
				inputs.steering.deliver(run.boundary$).subscribe({
					next: (batch) => {
						for (const { text } of batch) {
							note(`reads ${name}`, text);
							subscriber.next({ type: "steering_read", message: text });
						}
					},
					error: raise,
				}),
			);
			return () => {
				live.delete(row);
				note(row, "!");
				owned.unsubscribe();
			};
		});

	return {
		startRun,
		say: (row, letter) => {
			const run = live.get(row);
			if (run === undefined) return;
			if (letter === "k") run.boundary$.next();
			else if (letter === "s" || letter === "e") settle(run, letter);
			else run.subscriber.next(eventOf(letter));
			if (letter === "c" || letter === "z") run.subscriber.complete();
		},
	};
}

/** As a run does: with the stop that it was told of, if it was, and with what it did not read. */
function settle({ subscriber, inputs, told }: LiveRun, letter: "s" | "e"): void {
	const unread = inputs.steering.drain().map(({ text }) => text);
	const outcome = letter === "s" ? doneOutcome : failedOutcome;
	subscriber.next({ type: "settled", outcome: { ...outcome, verdict: told ?? outcome.verdict, unread } });
}

function eventOf(letter: string): RunEvent {
	const event = runEvents[letter];
	if (event === undefined) throw new Error(`a child cannot say "${letter}"`);
	return event;
}

function raise(error: unknown): never {
	throw error;
}
