import { type AgentRecord, isTerminal, type TerminalRecord } from "../streams/record.ts";

/** What runs of one kind have come to in this session. */
export interface LikeRuns {
	readonly count: number;
	readonly medianTurns: number;
	readonly medianInput: number;
	readonly medianOutput: number;
	/** US dollars. */
	readonly medianCost: number;
}

/**
 * The history of runs with this type and model: those that have ended and had a turn. Only agents that were never
 * resumed count, because spend is kept over all of an agent's runs. `undefined` when there is none.
 */
export function likeRuns(records: readonly AgentRecord[], type: string, model: string): LikeRuns | undefined {
	const like = records.filter(
		(record): record is TerminalRecord =>
			isTerminal(record) &&
			record.run === 1 &&
			record.turns > 0 &&
			record.config.subagentType === type &&
			record.config.model === model,
	);
	if (like.length === 0) return undefined;
	const medianOf = (value: (record: TerminalRecord) => number) => median(like.map(value));
	return {
		count: like.length,
		medianTurns: medianOf(({ turns }) => turns),
		medianInput: medianOf(({ spend }) => spend.input + spend.cacheRead + spend.cacheWrite),
		medianOutput: medianOf(({ spend }) => spend.output),
		medianCost: medianOf(({ spend }) => spend.cost),
	};
}

function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	const [low = 0, high = 0] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
	return (low + high) / 2;
}
