import { bodyLimit, capText } from "../streams/cap.ts";
import type { Group, GroupMember } from "../streams/groups.ts";
import { oneLine, sanitizeText } from "../streams/plain-text.ts";
import { isTerminal } from "../streams/record.ts";
import { inTime, publishedLine, verboseText } from "./answers.ts";
import type { DetailsExtra } from "./details.ts";
import { queuedEvidence, runningEvidence } from "./evidence.ts";
import { groupDetails } from "./group-details.ts";
import { composeGroupHeader } from "./group-header.ts";
import { composeHeader } from "./header.ts";
import type { ToolAnswer } from "./protocol-tool.ts";
import { sectionBody, shareBodies } from "./section.ts";
import { structuredGroup } from "./structured.ts";
import type { ToolDeps } from "./tool-deps.ts";

/** How much of an answer the conversations of all members may take, in characters. */
const verboseLimit = bodyLimit / 2;

/** How much of what a member writes stands in its line while it goes on, in characters. */
const saidLately = 80;

interface ResultExtra {
	readonly isError: boolean;
	/** What there is to know before the members, a line each. */
	readonly lines?: readonly string[];
	/** What each run got other than what was asked for. */
	readonly notes?: readonly (readonly string[])[];
	/** For each member whether its result had been published before: then it is pointed to and not repeated. */
	readonly published?: readonly boolean[];
	readonly verbose?: boolean;
}

/** What one member adds to an answer: the text below its header, and what programs are told. */
interface Told {
	readonly body: string;
	readonly text: string;
	readonly outputPath?: string | undefined;
	readonly extra?: DetailsExtra;
}

/**
 * A group that is over: its header with the sums, then each member in the given order with its own header and what it
 * wrote, partial texts included. All of them share the limit of one body, in fair parts.
 */
export async function groupResult(deps: ToolDeps, group: Group, extra: ResultExtra): Promise<ToolAnswer> {
	const { members } = group;
	const verbose = extra.verbose === true ? await verboseTexts(deps, members) : [];
	const repeats = (index: number): boolean => extra.verbose === true || extra.published?.[index] !== true;
	const records = members.flatMap(({ record }, index) => (isTerminal(record) && repeats(index) ? [record] : []));
	const bodies = shareBodies(records, bodyLimit - verbose.reduce((sum, text) => sum + text.length, 0));
	const bodyOf = new Map(records.map((record, index) => [record.agentId, bodies[index]]));
	const told = await Promise.all(
		members.map(async ({ record }, index): Promise<Told> => {
			const body = bodyOf.get(record.agentId);
			const known = { published: extra.published?.[index], notes: extra.notes?.[index] };
			if (body === undefined || !isTerminal(record)) return { body: publishedLine, text: "", extra: known };
			const outputPath = body.capped.cut > 0 ? await inTime(deps, () => deps.fullTextPath(record)) : undefined;
			const more = verbose[index];
			return {
				body: [sectionBody(body), ...(more === undefined ? [] : [more])].join("\n\n"),
				text: body.capped.text,
				outputPath,
				extra: { ...known, outputPath },
			};
		}),
	);
	return composeGroup(deps, group, told, extra);
}

/** A group as it is now, each member with the evidence that a caller decides by; nothing is consumed. */
export async function groupSnapshot(
	deps: ToolDeps,
	group: Group,
	lines: readonly string[],
	options: { readonly verbose?: boolean } = {},
): Promise<ToolAnswer> {
	const verbose = options.verbose === true ? await verboseTexts(deps, group.members) : [];
	const told = group.members.map((member, index): Told => {
		const body = standing(deps, group, member);
		const { record } = member;
		return {
			body: [body, ...(verbose[index] === undefined ? [] : [verbose[index]])].join("\n\n"),
			text: record.status === "running" ? sanitizeText(record.textTail) : "",
			extra: { placeInLine: placeOf(deps, member) },
		};
	});
	return composeGroup(deps, group, told, { isError: false, lines });
}

/** What a call in the background returns at once: each member's header, its place in line or whom it waits for. */
export function groupReceipt(
	deps: ToolDeps,
	group: Group,
	lines: readonly string[],
	runs: readonly { readonly lines: readonly string[]; readonly notes: readonly string[] }[],
): ToolAnswer {
	const told = group.members.map((member, index): Told => {
		const { lines: own = [], notes } = runs[index] ?? {};
		const stand = member.record.status === "queued" ? [standing(deps, group, member)] : [];
		return { body: [...stand, ...own].join("\n"), text: "", extra: { placeInLine: placeOf(deps, member), notes } };
	});
	return composeGroup(deps, group, told, { isError: false, lines });
}

/** A group that is going on, one line a member: what a call in the foreground shows meanwhile. */
export function groupProgress(deps: ToolDeps, group: Group): ToolAnswer {
	const now = deps.scheduler.now();
	const lines = group.members.map((member) => {
		const { name, record } = member;
		const [first = ""] = standing(deps, group, member).split("\n");
		const silent = record.status === "running" ? ` · silent: ${Math.floor((now - record.lastEventAt) / 1_000)}s` : "";
		const stand = isTerminal(record) ? record.outcome.verdict.reason : first;
		const words = record.status === "running" ? oneLine(record.textTail.slice(-saidLately), saidLately) : "";
		const said = words === "" ? "" : ` · last text: ${words}`;
		return `${name} (${record.agentId}): ${record.status} · ${stand}${silent} · turns: ${record.turns}${said}`;
	});
	return {
		text: `${composeGroupHeader(group, now)}\n\n${lines.join("\n")}`,
		details: groupDetails(group, now, (member) => ({ placeInLine: placeOf(deps, member) })),
		isError: false,
	};
}

function composeGroup(deps: ToolDeps, group: Group, told: readonly Told[], extra: ResultExtra): ToolAnswer {
	const now = deps.scheduler.now();
	const head = [composeGroupHeader(group, now), ...(extra.lines ?? [])].join("\n");
	const sections = group.members.map(({ name, record }, index) => {
		const { body = "", outputPath } = told[index] ?? {};
		const header = `member: ${oneLine(name, 64)}\n${composeHeader(record, now, outputPath)}`;
		return body === "" ? header : `${header}\n\n${body}`;
	});
	return {
		text: [head, ...sections].join("\n\n"),
		details: groupDetails(group, now, (_, index) => told[index]?.extra ?? {}),
		structured: structuredGroup(group, now, told),
		isError: extra.isError,
	};
}

/** How a member stands, beyond its header. */
function standing(deps: ToolDeps, group: Group, member: GroupMember): string {
	const { record } = member;
	if (record.status === "running") return runningEvidence(record, deps.scheduler.now());
	if (isTerminal(record))
		return "It has ended; its result is read with its agent_id, or with the others when all have.";
	const waitsFor = member.after.filter((name) =>
		group.members.some((other) => other.name === name && !isTerminal(other.record)),
	);
	return waitsFor.length > 0 ? `waits for: ${waitsFor.join(", ")}` : queuedEvidence(placeOf(deps, member));
}

function placeOf(deps: ToolDeps, { record }: GroupMember): number | undefined {
	return record.status === "queued" ? deps.agents.placeInLine(record.agentId) : undefined;
}

async function verboseTexts(deps: ToolDeps, members: readonly GroupMember[]): Promise<readonly string[]> {
	const texts = await Promise.all(members.map(({ record }) => verboseText(deps, record)));
	return texts.map((text) => capText(text, Math.floor(verboseLimit / members.length)).text);
}
