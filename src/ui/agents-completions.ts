import type { AutocompleteItem } from "@earendil-works/pi-tui";
import type { Group } from "../streams/groups.ts";
import { type AgentRecord, isTerminal } from "../streams/record.ts";
import type { Schedule } from "../streams/schedules.ts";
import { subcommands } from "./agents-command.ts";
import { cleanLine } from "./clean-text.ts";

/** The words that may stand where the last word stands, for each subcommand that takes any. */
const wanted: ReadonlyMap<string, Offering> = new Map<string, Offering>([
	["show", (named, records, groups) => (named.length === 0 ? [...records.map(offer), ...groups.map(offerGroup)] : [])],
	["resume", (named, records) => (named.length === 0 ? records.filter(isTerminal).map(offer) : [])],
	["steer", (named, records) => (named.length === 0 ? records.filter(isRunning).map(offer) : [])],
	["stop", offerToStop],
	["schedules", offerSchedules],
]);

type Offering = (
	named: readonly string[],
	records: readonly AgentRecord[],
	groups: readonly Group[],
	schedules: readonly Schedule<unknown>[],
) => readonly Offer[];

interface Offer {
	readonly word: string;
	readonly about: string;
}

/**
 * What can stand after `/agents`, given what has been typed so far. Each value replaces all of the arguments, as the
 * host's editor has it. `null` when nothing fits.
 */
export function agentsCompletions(
	typed: string,
	records: readonly AgentRecord[],
	groups: readonly Group[] = [],
	schedules: readonly Schedule<unknown>[] = [],
): AutocompleteItem[] | null {
	const start = typed.search(/\S*$/);
	const [before, word] = [typed.slice(0, start), typed.slice(start)];
	const [name, ...named] = before.split(/\s+/).filter((part) => part !== "");
	const offers =
		name === undefined
			? [...subcommands].map(([key, { about }]): Offer => ({ word: key, about }))
			: (wanted.get(name.toLowerCase())?.(named, records, groups, schedules) ?? []);
	// A word that is whole is not offered: while the editor offers something, Enter takes that and submits nothing.
	const items = offers
		.filter((one) => one.word.startsWith(word) && one.word !== word)
		.map((one) => ({ value: before + one.word, label: one.word, description: one.about }));
	return items.length === 0 ? null : items;
}

function offerToStop(
	named: readonly string[],
	records: readonly AgentRecord[],
	groups: readonly Group[],
): readonly Offer[] {
	if (named.some((word) => word.startsWith("--"))) return [];
	const live = [
		...records.filter((record) => !isTerminal(record)).map(offer),
		...groups.filter((group) => !group.isOver).map(offerGroup),
	].filter(({ word }) => !named.includes(word));
	if (named.length > 0) return live;
	return [...live, { word: "--background", about: "every background agent" }, { word: "--all", about: "every agent" }];
}

function offerSchedules(
	[act, ...named]: readonly string[],
	_records: readonly AgentRecord[],
	_groups: readonly Group[],
	schedules: readonly Schedule<unknown>[],
): readonly Offer[] {
	if (schedules.length === 0 || named.length > 0) return [];
	if (act === undefined) {
		return [
			{ word: "pause", about: "leave out its times" },
			{ word: "resume", about: "go on with its next time" },
			{ word: "cancel", about: "end it" },
		];
	}
	return schedules.map(({ scheduleId, description }) => ({ word: scheduleId, about: cleanLine(description, 60) }));
}

function offerGroup({ groupId, kind, description }: Group): Offer {
	return { word: groupId, about: `${kind} · ${cleanLine(description, 60)}` };
}

function offer(record: AgentRecord): Offer {
	return { word: record.agentId, about: `${record.status} · ${cleanLine(record.description, 60)}` };
}

function isRunning(record: AgentRecord): boolean {
	return record.status === "running";
}
