import type { AgentRun } from "./agent-run.ts";
import type { AgentId } from "./ids.ts";
import { softPart } from "./limits.ts";
import type { StopRequest } from "./outcome.ts";
import { type AgentRecord, isTerminal } from "./record.ts";

/** The money of all agents of a session together. */
export interface Budget {
	/** Takes note of what an agent has spent, and holds all of them to the limit. */
	note(record: AgentRecord): void;
	/** Whether there is nothing left. */
	isSpent(): boolean;
	/** Why `count` more runs may not start now, or `undefined`. */
	refusal(count: number): string | undefined;
}

/** What a budget needs from its owner. */
export interface BudgetOptions {
	/** US dollars; `undefined` for no limit. May change at any time. */
	readonly maxCost: () => number | undefined;
	/** Every run that is not over. */
	readonly opened: () => Iterable<AgentRun>;
	stop(runs: readonly AgentRun[], request: StopRequest): void;
}

/**
 * Counts what every agent has ever spent. Near the limit all that are under way are asked to wrap up, and at it they are
 * stopped; the one whose message has reached it may have said its last word, so it is stopped only at the end of a turn
 * that another would follow. What a request costs is known when it has been answered, so a run that starts sets something aside: what an
 * agent has cost on average so far. A run that would not fit into what is left is refused.
 */
export function createBudget({ maxCost, opened, stop }: BudgetOptions): Budget {
	/** By agent, over all of its runs. */
	const costs = new Map<AgentId, number>();
	const ended = new Set<AgentId>();
	let spent = 0;
	let spentByEnded = 0;

	const live = (): AgentRun[] => [...opened()].filter((run) => !isTerminal(run.record));
	const average = (): number => (ended.size === 0 ? 0 : spentByEnded / ended.size);
	/** What runs under way may still cost. */
	const reserved = (): number => {
		const share = average();
		return live().reduce((sum, { record }) => sum + Math.max(0, share - record.spend.cost), 0);
	};

	return {
		note: (record) => {
			const { agentId, spend } = record;
			const before = costs.get(agentId) ?? 0;
			// The snapshot of an earlier run of the agent may come late, and knows of less.
			const added = Math.max(0, spend.cost - before);
			costs.set(agentId, before + added);
			spent += added;
			if (ended.has(agentId)) spentByEnded += added;
			else if (isTerminal(record)) {
				ended.add(agentId);
				spentByEnded += before + added;
			}
			const most = maxCost();
			if (most === undefined || added === 0 || spent < most * softPart) return;
			if (spent - added >= most) return;
			const others = () => live().filter((run) => run.record.agentId !== agentId);
			if (spent >= most) stop(others(), { status: "aborted", reason: "budget" });
			else for (const run of live()) run.wrapUp("money");
		},
		isSpent: () => spent >= (maxCost() ?? Number.POSITIVE_INFINITY),
		refusal: (count) => {
			const most = maxCost();
			if (most === undefined) return undefined;
			if (spent >= most) {
				return `The money for subagents is spent: ${dollars(spent)} of ${dollars(most)} (maxCostUsd). Go on without them.`;
			}
			const more = average() * count;
			if (spent + reserved() + more <= most) return undefined;
			return `${dollars(spent)} of the ${dollars(most)} for subagents (maxCostUsd) is spent, and what is left is set aside for those under way or would not be enough. Wait for one with get_subagent_result, or go on without.`;
		},
	};
}

function dollars(cost: number): string {
	return `$${Number(cost.toFixed(4))}`;
}
