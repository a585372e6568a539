import { byCloseness } from "../profiles/closest.ts";
import { listWords, quote } from "../profiles/wording.ts";
import type { Group } from "../streams/groups.ts";
import type { AgentId, GroupId } from "../streams/ids.ts";
import { type AgentRecord, isTerminal } from "../streams/record.ts";

/** Which agents a stop is about. Ids are as they were typed; `selectToStop` makes agents of them. */
export type StopTargets = { readonly ids: readonly string[] } | "background" | "all";

/** What the arguments of `/agents` ask for. */
export type AgentsCommand =
	| { readonly type: "list" }
	| { readonly type: "show"; readonly id: string }
	| { readonly type: "stop"; readonly targets: StopTargets }
	| { readonly type: "steer"; readonly id: string; readonly message: string }
	/** Without a message the agent goes on as it is. */
	| { readonly type: "resume"; readonly id: string; readonly message: string | undefined }
	| { readonly type: "doctor" }
	| { readonly type: "schedules"; readonly act?: undefined; readonly id?: undefined }
	| { readonly type: "schedules"; readonly act: "pause" | "resume" | "cancel"; readonly id: string }
	| { readonly type: "help" }
	/** The arguments make no command; the message says what would. */
	| { readonly type: "problem"; readonly message: string };

/** A subcommand: how it is written, what it does, and what its arguments are. `rest` is all that stands behind its name. */
export interface Subcommand {
	readonly usage: string;
	readonly about: string;
	/** `undefined` when the arguments do not go with it. */
	readonly parse: (rest: string) => AgentsCommand | undefined;
}

/** All there is, in the order in which it is offered. Help, completion and parsing follow from this table. */
export const subcommands: ReadonlyMap<string, Subcommand> = new Map<string, Subcommand>([
	["list", { usage: "list", about: "all agents of this session", parse: (rest) => bare(rest, { type: "list" }) }],
	["show", { usage: "show <id>", about: "an agent and what it wrote, or a group", parse: parseShow }],
	[
		"stop",
		{
			usage: "stop <id…>|--background|--all",
			about: "stop agents or groups, and say what was stopped",
			parse: parseStop,
		},
	],
	[
		"resume",
		{ usage: "resume <id> [text]", about: "let an agent that has ended go on, in the background", parse: parseResume },
	],
	["steer", { usage: "steer <id> <text>", about: "send a running agent a message", parse: parseSteer }],
	[
		"doctor",
		{ usage: "doctor", about: "what is wrong, and what to do", parse: (rest) => bare(rest, { type: "doctor" }) },
	],
	[
		"schedules",
		{
			usage: "schedules [pause|resume|cancel <id>]",
			about: "what is to start by itself, or change one of it",
			parse: parseSchedules,
		},
	],
	["help", { usage: "help", about: "this text", parse: (rest) => bare(rest, { type: "help" }) }],
]);

/** The command in the arguments of `/agents`. Without any it is `list`. Never throws. */
export function parseAgentsCommand(args: string): AgentsCommand {
	const { first: name, rest } = splitWord(args);
	if (name === "") return { type: "list" };
	const subcommand = subcommands.get(name.toLowerCase());
	if (subcommand === undefined) {
		const known = listWords(byCloseness(name, [...subcommands.keys()]));
		return { type: "problem", message: `Unknown subcommand "${quote(name)}"; there are: ${known}.` };
	}
	return subcommand.parse(rest) ?? { type: "problem", message: `Usage: /agents ${subcommand.usage}` };
}

/** What `/agents help` says. */
export function agentsHelp(): string {
	const all = [...subcommands.values()];
	const width = Math.max(...all.map(({ usage }) => usage.length));
	const lines = all.map(({ usage, about }) => `/agents ${usage.padEnd(width)}  ${about}`);
	return [...lines, "An id may be shortened to a beginning that only one agent or group has."].join("\n");
}

export type Resolved<Id> = { readonly ok: true; readonly id: Id } | { readonly ok: false; readonly problem: string };

/** The one of these ids that an id or the beginning of one names. */
export function resolveId<Id extends string>(given: string, known: readonly Id[], what = "agent"): Resolved<Id> {
	const exact = known.find((id) => id === given);
	if (exact !== undefined) return { ok: true, id: exact };
	const matches = known.filter((id) => id.startsWith(given));
	const [only] = matches;
	if (only !== undefined && matches.length === 1) return { ok: true, id: only };
	if (only !== undefined) return { ok: false, problem: `"${quote(given)}" fits several: ${listWords(matches)}.` };
	if (known.length === 0) return { ok: false, problem: `No ${what} "${quote(given)}": this session has none.` };
	return { ok: false, problem: `No ${what} "${quote(given)}"; there are: ${listWords(byCloseness(given, known))}.` };
}

/** The ids of all agents and groups: what a command that takes either may name. */
export function allIds(records: readonly AgentRecord[], groups: readonly Group[]): readonly (AgentId | GroupId)[] {
	return [...records.map((record) => record.agentId), ...groups.map((group) => group.groupId)];
}

export type StopSelection =
	| { readonly ok: true; readonly ids: readonly AgentId[] }
	/** Nothing is to be stopped then: a list of which half is wrong is not half obeyed. */
	| { readonly ok: false; readonly problems: readonly string[] };

/** The agents that a stop is about: those named, a group's members among them, each once, or all that are live. */
export function selectToStop(
	targets: StopTargets,
	records: readonly AgentRecord[],
	groups: readonly Group[] = [],
): StopSelection {
	if (targets === "all" || targets === "background") {
		const live = records.filter((record) => !isTerminal(record) && (targets === "all" || record.background));
		return { ok: true, ids: live.map((record) => record.agentId) };
	}
	const known = allIds(records, groups);
	const resolved = targets.ids.map((id) => resolveId(id, known));
	const problems = resolved.flatMap((one) => (one.ok ? [] : one.problem));
	if (problems.length > 0) return { ok: false, problems };
	const ids = resolved.flatMap((one) => (one.ok ? agentsOf(one.id, records, groups) : []));
	return { ok: true, ids: [...new Set(ids)] };
}

/** The agent of an id; of a group those members that are live, or all of them when none is: the report says so then. */
function agentsOf(
	id: AgentId | GroupId,
	records: readonly AgentRecord[],
	groups: readonly Group[],
): readonly AgentId[] {
	const group = groups.find((one) => one.groupId === id);
	if (group === undefined) return records.filter((record) => record.agentId === id).map((record) => record.agentId);
	const members = group.members.map((member) => member.agentId);
	const live = records.filter((record) => members.includes(record.agentId) && !isTerminal(record));
	return live.length === 0 ? members : live.map((record) => record.agentId);
}

function bare(rest: string, command: AgentsCommand): AgentsCommand | undefined {
	return rest === "" ? command : undefined;
}

function parseShow(rest: string): AgentsCommand | undefined {
	const { first: id, rest: more } = splitWord(rest);
	return id === "" || more !== "" ? undefined : { type: "show", id };
}

function parseStop(rest: string): AgentsCommand | undefined {
	const words = rest.split(/\s+/).filter((word) => word !== "");
	const flags = words.filter((word) => word.startsWith("--"));
	if (flags.length === 0)
		return words.length === 0 ? undefined : { type: "stop", targets: { ids: [...new Set(words)] } };
	if (words.length > 1) return undefined;
	if (flags[0] === "--all") return { type: "stop", targets: "all" };
	if (flags[0] === "--background") return { type: "stop", targets: "background" };
	return undefined;
}

function parseSchedules(rest: string): AgentsCommand | undefined {
	const [act, id, ...more] = rest.split(/\s+/).filter((word) => word !== "");
	if (act === undefined) return { type: "schedules" };
	if (id === undefined || more.length > 0) return undefined;
	return act === "pause" || act === "resume" || act === "cancel" ? { type: "schedules", act, id } : undefined;
}

function parseResume(rest: string): AgentsCommand | undefined {
	const { first: id, rest: message } = splitWord(rest);
	return id === "" ? undefined : { type: "resume", id, message: message === "" ? undefined : message };
}

/** The message is taken as it was typed, but for the space around it. */
function parseSteer(rest: string): AgentsCommand | undefined {
	const { first: id, rest: message } = splitWord(rest);
	return message === "" ? undefined : { type: "steer", id, message };
}

function splitWord(text: string): { readonly first: string; readonly rest: string } {
	const trimmed = text.trim();
	const end = trimmed.search(/\s/);
	return end === -1 ? { first: trimmed, rest: "" } : { first: trimmed.slice(0, end), rest: trimmed.slice(end).trim() };
}
