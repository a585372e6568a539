import { Subject } from "rxjs";
import type { TestScheduler } from "rxjs/testing";
import {
	type Agents,
	createOutbox,
	type Note,
	type ParentEvent,
	parentActivity$,
	type RunKey,
	runKey,
} from "../../src/streams/index.ts";
import { noteLetter } from "./race-letters.ts";
import type { RaceLog } from "./race-log.ts";

/** The parent's conversation with the real outbox before it. */
export interface RaceParent {
	/** What the letters of the row `parent` say. */
	act(letter: string): void;
	/** Whether the host takes messages from now on. */
	take(takes: boolean): void;
	close(): void;
}

const parentEvents: Readonly<Record<string, ParentEvent>> = {
	r: { type: "run_started" },
	d: { type: "run_settled", how: "done" },
	a: { type: "run_settled", how: "aborted" },
	f: { type: "run_settled", how: "failed" },
	p: { type: "prompt_accepted", by: "user" },
	o: { type: "dialog_opened" },
	O: { type: "dialog_closed" },
	x: { type: "session_replaced" },
};

export function raceParent(agents: Agents, scheduler: TestScheduler, log: RaceLog): RaceParent {
	const events$ = new Subject<ParentEvent>();
	/** Handed over and not looked for yet. */
	const handed = new Set<RunKey>();
	const committed = new Set<RunKey>();
	let takes = true;

	function noteHanded(row: string, note: Note | undefined): void {
		for (const key of note?.deliveries ?? []) handed.add(key);
		log.note(row, noteLetter(note));
	}
	const outbox = createOutbox({
		publishable$: agents.publishable$,
		activity$: parentActivity$(events$, scheduler),
		scheduler,
		port: {
			wake: (note) => {
				if (takes) noteHanded("woken", note);
				return takes;
			},
			committed: () => committed,
			notify: (text) => log.note("said", text),
		},
		compose: (records) => {
			const delivery = records.map(({ agentId, run }) => runKey(agentId, run));
			return { text: "", deliveries: delivery, details: { delivery, agents: [] } };
		},
	});
	function look(seen: boolean): void {
		if (seen) for (const key of handed) committed.add(key);
		handed.clear();
		outbox.reconcile("past_start");
	}
	const acts: Readonly<Record<string, () => void>> = {
		B: () => noteHanded("boundary", outbox.take("boundary")),
		P: () => noteHanded("prompt", outbox.take("prompt")),
		K: () => look(true),
		L: () => look(false),
	};

	return {
		act: (letter) => {
			const event = parentEvents[letter];
			const act = event === undefined ? acts[letter] : () => events$.next(event);
			if (act === undefined) throw new Error(`a parent cannot do "${letter}"`);
			act();
		},
		take: (now) => {
			takes = now;
		},
		close: () => outbox.close(),
	};
}
