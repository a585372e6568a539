import { defer, mergeMap } from "rxjs";
import { type AgentRecord, type Group, type Groups, isTerminal } from "../../src/streams/index.ts";
import type { RaceCalls } from "./race-calls.ts";
import { readingLetter, statusLetter } from "./race-letters.ts";
import type { RaceLog } from "./race-log.ts";
import { testConfig } from "./run-script.ts";

/** How the members of a row's group depend on each other, and when they are published. */
interface Manner {
	/** Whether each waits for the one before it. */
	readonly chain?: boolean;
	readonly join?: "group" | "each";
}

/** The rows that are about a group; its name is the names of its members. */
export function groupActs(
	groups: Groups,
	log: RaceLog,
	calls: RaceCalls,
	nextAre: (names: readonly string[]) => void,
): Readonly<Record<string, (row: string, letter: string, name: string) => void>> {
	const byName = new Map<string, Group>();

	function spawn(name: string, background: boolean, { chain = false, join = "group" }: Manner = {}): Group {
		const names = [...name];
		nextAre(names);
		const group = groups.spawn({
			kind: "crew",
			description: name,
			background,
			join,
			members: names.map((member, index) => ({
				name: member,
				after: chain ? names.slice(Math.max(0, index - 1), index) : [],
				spawn: { prompt: `do ${member}`, description: member, config: testConfig },
			})),
		});
		byName.set(name, group);
		return group;
	}
	function inBackground(manner?: Manner) {
		return (row: string, _letter: string, name: string): void => {
			for (const { record } of spawn(name, true, manner).members) log.note(row, statusLetter(record));
		};
	}
	function inForeground(manner?: Manner) {
		return (row: string, letter: string, name: string): void =>
			calls.act(row, letter, () => defer(() => spawn(name, false, manner).foreground$).pipe(mergeMap(endings)));
	}
	function groupOf(name: string): Group {
		const group = byName.get(name);
		if (group === undefined) throw new Error(`there is no group ${name}`);
		return group;
	}
	return {
		crew: inForeground(),
		"crew-chain": inForeground({ chain: true }),
		group: inBackground(),
		each: inBackground({ join: "each" }),
		chain: inBackground({ chain: true }),
		waitall: (row, letter, name) =>
			calls.act(row, letter, () =>
				defer(() => groupOf(name).claim$).pipe(mergeMap((readings) => readings.map(readingLetter))),
			),
	};
}

/** What a foreground group's call returns: every member's status, once all have ended. */
function endings(records: readonly AgentRecord[]): string[] {
	return records.every(isTerminal) ? records.map(statusLetter) : [];
}
