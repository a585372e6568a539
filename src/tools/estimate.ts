import type { ModelRates } from "../profiles/model-rates.ts";
import type { ParentFacts } from "../profiles/parent-facts.ts";
import { oneLine } from "../streams/plain-text.ts";
import type { AgentRecord } from "../streams/record.ts";
import type { ReadSchedule } from "../streams/schedules.ts";
import type { AgentPlan, PlannedRun } from "./agent-plan.ts";
import { estimateText } from "./estimate-text.ts";
import { type LikeRuns, likeRuns } from "./like-runs.ts";
import type { ToolAnswer } from "./protocol-tool.ts";
import type { ToolDeps } from "./tool-deps.ts";

/** About how many characters a token has. */
const charactersPerToken = 4;

/** About what the first request of a run holds, in tokens. */
export interface PromptTokens {
	readonly system: number;
	readonly tools: number;
	readonly task: number;
	/** Of the conversation that it starts from; absent where there is none, or its size is not known. */
	readonly context?: number;
	readonly total: number;
	/** Tools whose size is not known here, and which are not counted. */
	readonly unknownTools: number;
}

/** What one run would be, and about what it would cost. */
export interface RunEstimate {
	readonly run: PlannedRun;
	readonly tokens: PromptTokens;
	/** Absent where the model's rates are not known. */
	readonly rates?: ModelRates;
	/** US dollars for a turn that sends this prompt and writes nothing, with nothing from the provider's cache. */
	readonly firstTurnCost?: number;
	readonly history?: LikeRuns;
}

/** An estimate, for rendering. */
export interface EstimateDetails {
	readonly kind: "estimate";
	readonly toolCallId: string;
	readonly group?: "swarm" | "crew";
	readonly runs: readonly {
		readonly name: string;
		readonly type: string;
		readonly model: string;
		readonly prompt_tokens: number;
		readonly first_turn_cost_usd?: number;
		readonly median_cost_usd?: number;
	}[];
}

/** What the plan's runs would be, and about what they would cost. Pure: nothing is started, read or written. */
export function composeEstimate(
	plan: AgentPlan,
	parent: ParentFacts,
	records: readonly AgentRecord[],
): readonly RunEstimate[] {
	return plan.runs.map((run) => estimateRun(run, parent, records));
}

/** The answer to a call that only wants to know; `when` is the schedule that it asks for. */
export async function estimateAnswer(
	deps: ToolDeps,
	plan: AgentPlan,
	when?: ReadSchedule & { readonly ok: true },
): Promise<ToolAnswer> {
	const runs = composeEstimate(plan, deps.parent(), deps.agents.list());
	return {
		text: estimateText(plan, runs, when),
		details: {
			kind: "estimate",
			toolCallId: plan.toolCallId,
			...(plan.kind === "agent" ? {} : { group: plan.kind }),
			runs: runs.map(({ run, tokens, firstTurnCost, history }) => ({
				name: oneLine(run.name, 64),
				type: run.effective.config.subagentType,
				model: run.effective.config.model,
				prompt_tokens: tokens.total,
				...(firstTurnCost === undefined ? {} : { first_turn_cost_usd: firstTurnCost }),
				...(history === undefined ? {} : { median_cost_usd: history.medianCost }),
			})),
		},
		isError: false,
	};
}

function estimateRun(run: PlannedRun, parent: ParentFacts, records: readonly AgentRecord[]): RunEstimate {
	const { config } = run.effective;
	const tokens = promptTokens(run, parent);
	const rates = parent.models.find((model) => model.id === config.model)?.rates;
	const history = likeRuns(records, config.subagentType, config.model);
	return {
		run,
		tokens,
		...(rates === undefined ? {} : { rates, firstTurnCost: (tokens.total * rates.input) / 1_000_000 }),
		...(history === undefined ? {} : { history }),
	};
}

function promptTokens({ prompt, effective }: PlannedRun, parent: ParentFacts): PromptTokens {
	const sizes = effective.config.tools.map((tool) => parent.toolSize?.(tool));
	const { systemPrompt, parentPrompt = "" } = effective.config;
	const system = toTokens(parentPrompt.length + systemPrompt.length);
	const tools = toTokens(sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0));
	const task = toTokens(prompt.length);
	const unknownTools = sizes.filter((size) => size === undefined).length;
	const context = effective.config.inheritContext === undefined ? undefined : parent.conversationTokens?.();
	const total = system + tools + task + (context ?? 0);
	return { system, tools, task, total, unknownTools, ...(context === undefined ? {} : { context }) };
}

function toTokens(characters: number): number {
	return Math.ceil(characters / charactersPerToken);
}
