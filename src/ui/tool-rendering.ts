import type { Theme } from "@earendil-works/pi-coding-agent";
import type { Component } from "@earendil-works/pi-tui";
import { bodyLines } from "./body-lines.ts";
import { cleanLine } from "./clean-text.ts";
import { counted, shortCost, shortCount, shortDuration } from "./format.ts";
import { type Line, linesComponent } from "./lines.ts";
import { dotted, type Paint, paintStatus } from "./paint.ts";
import {
	bodyOf,
	isObject,
	list,
	readShownAgent,
	readShownHeader,
	type ShownAgent,
	textOf,
	word,
} from "./shown-agent.ts";
import { membersRead, readGroupHeader, readShownGroup, type ShownGroup } from "./shown-group.ts";

/** Below this an agent's silence is nothing to speak of. */
const silenceShown = 10_000;

/** The parts of a tool result that are drawn. Both may be anything: results come from stored sessions too. */
export interface ShownResult {
	readonly content?: unknown;
	readonly details?: unknown;
}

export interface ResultState {
	readonly expanded: boolean;
	/** Whether the call goes on. */
	readonly isPartial: boolean;
	readonly isError: boolean;
}

/** How the host draws a tool: the two functions of its tool definition. */
export interface ToolRenderers {
	renderCall(args: unknown, theme: Theme, context?: { readonly expanded?: boolean }): Component;
	renderResult(
		result: ShownResult,
		options: { readonly expanded: boolean; readonly isPartial: boolean },
		theme: Theme,
		context?: { readonly isError?: boolean },
	): Component;
}

/** The renderers of one of the three tools, by its name. */
export function toolRenderers(tool: string): ToolRenderers {
	return {
		renderCall(args, theme, context) {
			return linesComponent(callLines(tool, args, context?.expanded ?? false, theme));
		},
		renderResult(result, { expanded, isPartial }, theme, context) {
			const isError = context?.isError ?? false;
			return linesComponent(resultLines(tool, result, { expanded, isPartial, isError }, theme));
		},
	};
}

/** What a call asks for, as far as its arguments have come in. */
export function callLines(tool: string, args: unknown, expanded: boolean, paint: Paint): readonly Line[] {
	const known = isObject(args) ? args : {};
	const { main, rest, text } = describeCall(tool, known);
	const parts = [paint.fg("toolTitle", paint.bold(tool)), paint.fg("accent", main ?? "…")];
	const more = dotted(rest);
	if (more !== "") parts.push(paint.fg("muted", more));
	return [
		{ text: parts.join(" "), overflow: "cut" },
		...(expanded && text !== undefined ? bodyLines(text, (row) => paint.fg("toolOutput", row)) : []),
	];
}

interface DescribedCall {
	readonly main: string | undefined;
	readonly rest: readonly (string | undefined)[];
	/** What only an expanded call shows. */
	readonly text: string | undefined;
}

function describeCall(tool: string, args: Readonly<Record<string, unknown>>): DescribedCall {
	const agentId = word(args.agent_id);
	switch (tool) {
		case "get_subagent_result":
			return { main: agentId, rest: [flag(args.wait, "wait"), flag(args.verbose, "verbose")], text: undefined };
		case "steer_subagent":
			return { main: agentId, rest: [word(args.message, 200)], text: longText(args.message) };
		default:
			return {
				main: word(args.description, 200) ?? word(args.subagent_type),
				rest: [
					args.description === undefined ? undefined : word(args.subagent_type),
					word(args.model),
					...groupWords(args),
					flag(args.run_in_background, "background"),
					flag(args.estimate_only, "estimate"),
					word(args.schedule) === undefined ? undefined : `scheduled ${word(args.schedule)}`,
					word(args.resume) === undefined ? undefined : `resume ${word(args.resume)}`,
				],
				text: callText(args),
			};
	}
}

/** What a call has come to so far, or in the end. */
export function resultLines(tool: string, result: ShownResult, state: ResultState, paint: Paint): readonly Line[] {
	const text = textOf(result.content);
	const group = readShownGroup(result.details) ?? readGroupHeader(text);
	const shownText = (body: string) => (state.expanded ? bodyLines(body, (row) => paint.fg("toolOutput", row)) : []);
	if (group !== undefined) {
		const lines = groupLines(group, state, paint);
		return [...lines.map((line): Line => ({ text: line, overflow: "cut" })), ...shownText(bodyOf(text))];
	}
	const agent = readShownAgent(result.details) ?? readShownHeader(text);
	const body = agent === undefined ? text : bodyOf(text);
	return [{ text: summary(tool, agent, body, state, paint), overflow: "cut" }, ...shownText(body)];
}

/** The group, then a line a member. */
function groupLines(group: ShownGroup, state: ResultState, paint: Paint): readonly string[] {
	const { whole, summary: words, groupId, members } = group;
	const status =
		whole === undefined
			? paint.fg(state.isError ? "error" : "toolOutput", words)
			: paintStatus(whole.status, `${words} ${statusWords(whole)}`, paint);
	const facts = whole === undefined ? [groupId] : [...agentFacts(whole), groupId];
	return [
		dotted([status, paint.fg("muted", dotted(facts))]),
		...members.map((member) => {
			const about = dotted([...agentFacts(member), member.agentId]);
			const stand = paintStatus(member.status, `${member.name ?? "?"} ${statusWords(member)}`, paint);
			return `  ${dotted([stand, paint.fg("muted", about)])}`;
		}),
	];
}

function summary(tool: string, agent: ShownAgent | undefined, body: string, state: ResultState, paint: Paint): string {
	if (agent === undefined) {
		const line = cleanLine(body, 400);
		if (line === "") return paint.fg("muted", state.isPartial ? "…" : "no text");
		return paint.fg(state.isError ? "error" : "toolOutput", line);
	}
	const status = paintStatus(agent.status, statusWords(agent), paint);
	// What a steering call is about is what became of its message, not how its agent does.
	const facts = tool === "steer_subagent" && !state.isPartial ? [cleanLine(body)] : agentFacts(agent);
	return dotted([status, paint.fg("muted", dotted([...facts, agent.agentId]))]);
}

function statusWords(agent: ShownAgent): string {
	if (agent.stopping !== undefined) return `${agent.status}, stopping (${agent.stopping})`;
	return agent.reason === undefined || agent.reason === "done" ? agent.status : `${agent.status} (${agent.reason})`;
}

function agentFacts(agent: ShownAgent): readonly (string | undefined)[] {
	const { placeInLine, currentTools, turns, inputTokens, outputTokens, cost, durationMs, silentMs } = agent;
	return [
		placeInLine === undefined ? undefined : `${placeInLine} in line`,
		currentTools.join(", "),
		turns === undefined ? undefined : counted(turns, "turn"),
		inputTokens === undefined ? undefined : `${shortCount(inputTokens)}/${shortCount(outputTokens ?? 0)} tokens`,
		cost === undefined ? undefined : shortCost(cost),
		durationMs === undefined ? undefined : shortDuration(durationMs),
		silentMs === undefined || silentMs < silenceShown ? undefined : `silent ${shortDuration(silentMs)}`,
	];
}

function groupWords({ swarm, members }: Readonly<Record<string, unknown>>): readonly (string | undefined)[] {
	return [
		typeof swarm === "number" ? `swarm of ${swarm}` : undefined,
		Array.isArray(members) ? `crew of ${members.length}` : undefined,
	];
}

/** The task, and a line for each member that gets one of its own. */
function callText(args: Readonly<Record<string, unknown>>): string | undefined {
	const members = list(args.members).slice(0, membersRead).filter(isObject);
	const lines = members.map(
		(member) => `- ${dotted([word(member.name), word(member.description ?? member.prompt, 200)])}`,
	);
	const prompt = longText(args.prompt);
	return lines.length === 0 ? prompt : [...(prompt === undefined ? [] : [prompt, ""]), ...lines].join("\n");
}

function flag(value: unknown, name: string): string | undefined {
	return value === true ? name : undefined;
}

function longText(value: unknown): string | undefined {
	return typeof value === "string" ? value : undefined;
}
