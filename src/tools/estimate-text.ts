import type { ValueSource } from "../profiles/effective-config.ts";
import { oneLine } from "../streams/plain-text.ts";
import type { ReadSchedule } from "../streams/schedules.ts";
import type { AgentPlan, PlannedRun } from "./agent-plan.ts";
import type { RunEstimate } from "./estimate.ts";
import { formatCost, formatCount } from "./format.ts";

/** An estimate in words: what would run, where each value comes from, and about what it would cost. */
export function estimateText(
	plan: AgentPlan,
	runs: readonly RunEstimate[],
	when?: ReadSchedule & { readonly ok: true },
): string {
	const head = [
		"Estimate: nothing was started.",
		plan.kind === "agent" ? "would start: 1 agent" : `would start: a ${plan.kind} of ${runs.length} agents`,
		plan.background || when !== undefined ? "in the background" : "in the foreground",
	].join(" · ");
	const times =
		when === undefined ? [] : [[`when: ${when.words}`, ...when.next.map((time) => `next: ${time}`)].join("\n")];
	// The members of a swarm differ in their number alone.
	const told = plan.kind === "swarm" ? runs.slice(0, 1) : runs;
	const each = told.map((estimate) => [...nameLines(plan, estimate.run), ...runLines(estimate)].join("\n"));
	return [head, ...times, ...each, ...(runs.length > 1 ? [totalLines(runs)] : []), basis].join("\n\n");
}

const basis =
	"Tokens are characters divided by 4, so everything here is about so much. Not counted: the project's context files, the list of skills, what the agents read, and the results that members get from each other.";

function nameLines(plan: AgentPlan, run: PlannedRun): readonly string[] {
	if (plan.kind === "agent") return [];
	if (plan.kind === "swarm") return [`each of ${plan.runs.length} members:`];
	const after = run.after.length === 0 ? "" : ` · after: ${run.after.join(", ")}`;
	return [`member: ${oneLine(run.name, 64)}${after}`];
}

function runLines({ run, tokens, rates, firstTurnCost, history }: RunEstimate): readonly string[] {
	const { config, sources, notes } = run.effective;
	const { limits } = config;
	const from = (source: ValueSource, ...keys: readonly string[]): string =>
		source === "call" && keys.some((key) => run.own.has(key)) ? "member" : source;
	const type = run.own.has("subagentType") ? "member" : run.typeSource;
	const turns =
		limits.maxTurns === undefined
			? "turns not limited"
			: `max_turns ${limits.maxTurns} (${sources.maxTurns}), then ${limits.graceTurns} more to wrap up (settings)`;
	const context =
		tokens.context !== undefined
			? `, context ${formatCount(tokens.context)}`
			: config.inheritContext === undefined
				? ""
				: ", this conversation not counted";
	const uncounted = tokens.unknownTools === 0 ? "" : `, ${tokens.unknownTools} tools of unknown size not counted`;
	return [
		`type: ${oneLine(config.subagentType, 100)} (${type})`,
		`model: ${oneLine(config.model, 200)} (${from(sources.model, "model")}) · thinking: ${oneLine(config.thinking, 40)} (${from(sources.thinking, "thinking")})`,
		`tools: ${config.tools.length === 0 ? "none" : oneLine(config.tools.join(", "), 2_000)} (${sources.tools}) · isolated: ${config.isolated} (${sources.isolated})${sources.isolation === undefined ? "" : ` · isolation: worktree (${sources.isolation})`}`,
		`limits: ${turns}`,
		...(sources.inheritContext === undefined
			? []
			: [`context: starts from a copy of this conversation (${sources.inheritContext})`]),
		...notes.map((note) => `note: ${note}`),
		`prompt: ${formatCount(tokens.total)} tokens (system prompt ${formatCount(tokens.system)}, tools ${formatCount(tokens.tools)}, task ${formatCount(tokens.task)}${context}${uncounted})`,
		rates === undefined || firstTurnCost === undefined
			? "price: the model's rates are not known"
			: `price: $${formatCost(firstTurnCost)} for the first turn's prompt, $${formatCost(rates.output / 1_000)} for each 1,000 tokens it writes; each later turn sends the conversation again, at $${formatCost(rates.input / 1_000)} for 1,000 tokens, or $${formatCost(rates.cacheRead / 1_000)} from the cache`,
		history === undefined
			? "history: no run of this type and model has ended in this session"
			: `history: ${history.count === 1 ? "1 run" : `${history.count} runs`} of this type and model in this session, median ${history.medianTurns} turns, ${formatCount(history.medianInput)}/${formatCount(history.medianOutput)} tokens, $${formatCost(history.medianCost)}`,
	];
}

function totalLines(runs: readonly RunEstimate[]): string {
	const tokens = runs.reduce((sum, run) => sum + run.tokens.total, 0);
	const costs = runs.map(({ firstTurnCost }) => firstTurnCost);
	const medians = runs.map(({ history }) => history?.medianCost);
	return [
		`all together: ${formatCount(tokens)} tokens of prompt`,
		...sumLine("for the first turns' prompts", costs),
		...sumLine("by the medians of the history", medians),
	].join(" · ");
}

/** A sum is told where every part of it is known. */
function sumLine(what: string, parts: readonly (number | undefined)[]): readonly string[] {
	let sum = 0;
	for (const part of parts) {
		if (part === undefined) return [];
		sum += part;
	}
	return [`$${formatCost(sum)} ${what}`];
}
