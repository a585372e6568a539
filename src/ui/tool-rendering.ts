import type { Theme } from "@earendil-works/pi-coding-agent";
import type { Component } from "@earendil-works/pi-tui";
import { bodyLines } from "./body-lines.ts";
import { cleanLine } from "./clean-text.ts";
import { counted, shortCost, shortCount, shortDuration } from "./format.ts";
import { type Line, linesComponent } from "./lines.ts";
import { dotted, type Paint, paintStatus } from "./paint.ts";
import { bodyOf, isObject, readShownAgent, readShownHeader, type ShownAgent, textOf, word } from "./shown-agent.ts";

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
					flag(args.run_in_background, "background"),
					word(args.resume) === undefined ? undefined : `resume ${word(args.resume)}`,
				],
				text: longText(args.prompt),
			};
	}
}

/** What a call has come to so far, or in the end. */
export function resultLines(tool: string, result: ShownResult, state: ResultState, paint: Paint): readonly Line[] {
	const text = textOf(result.content);
	const agent = readShownAgent(result.details) ?? readShownHeader(text);
	const body = agent === undefined ? text : bodyOf(text);
	const shownBody = state.expanded ? bodyLines(body, (row) => paint.fg("toolOutput", row)) : [];
	return [{ text: summary(tool, agent, body, state, paint), overflow: "cut" }, ...shownBody];
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

function flag(value: unknown, name: string): string | undefined {
	return value === true ? name : undefined;
}

function longText(value: unknown): string | undefined {
	return typeof value === "string" ? value : undefined;
}
