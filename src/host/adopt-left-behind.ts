import type { AgentsOwner, GroupsOwner, SpendWatermark } from "../streams/index.ts";
import type { RevivedRun } from "../streams/restored-run.ts";
import { addSpend, noSpend, type Spend, subtractSpend } from "../streams/usage.ts";
import { counted } from "../ui/format.ts";
import type { LeftBehind } from "./left-behind.ts";

/** Who takes over what another process has left while the session goes on. */
export interface Adopting {
	readonly agents: Pick<AgentsOwner, "adopt">;
	readonly groups: Pick<GroupsOwner, "adopt">;
	readonly spend: SpendWatermark;
	/** See `SessionLedger`. */
	announce(left: LeftBehind): void;
	/** Tells the person. */
	notify(text: string): void;
}

/**
 * Makes what was left a part of the session: results that nobody has wait for the person's next message, as they do when
 * a session is opened again, and interrupted agents are named.
 */
export function adoptLeftBehind(left: LeftBehind, { agents, groups, spend, announce, notify }: Adopting): void {
	if (left.runs.length === 0) return;
	const carried = carriedOf(left.runs, subtractSpend(left.carried, spend.carried));
	groups.adopt(left.groups);
	agents.adopt(left.runs.map((run) => ({ ...run, quiet: true })));
	spend.carry(carried);
	const results = left.runs.filter(({ publish, record }) => publish && record.parent === undefined).length;
	const parts = [
		...(results === 0 ? [] : [`${counted(results, "result")}, with your next message`]),
		...(left.unsaid.size === 0 ? [] : [`${counted(left.unsaid.size, "interrupted agent")}, which can be resumed`]),
	];
	const what = parts.length === 0 ? "its agents can be read and resumed here" : `here now: ${parts.join("; ")}`;
	notify(`Another pi that had this session open has ended: ${what}.`);
	announce(left);
}

/** What results have carried of what these agents have spent. A copied session tells of others, too. */
export function carriedOf(runs: readonly RevivedRun[], carried: Spend): Spend {
	const current = runs.filter((run) => run.current);
	const spent = current.reduce((sum, { record }) => addSpend(sum, record.spend), noSpend);
	const least = (key: keyof Spend): number => Math.max(0, Math.min(carried[key], spent[key]));
	return {
		input: least("input"),
		output: least("output"),
		cacheRead: least("cacheRead"),
		cacheWrite: least("cacheWrite"),
		cost: least("cost"),
	};
}
