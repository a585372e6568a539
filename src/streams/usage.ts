/** Tokens and money spent on model requests. Tokens read from the provider's cache are counted apart, never as input. */
export interface Spend {
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheWrite: number;
	/** US dollars. */
	readonly cost: number;
}

export const noSpend: Spend = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 };

export function addSpend(a: Spend, b: Spend): Spend {
	return {
		input: a.input + b.input,
		output: a.output + b.output,
		cacheRead: a.cacheRead + b.cacheRead,
		cacheWrite: a.cacheWrite + b.cacheWrite,
		cost: a.cost + b.cost,
	};
}

export function subtractSpend(a: Spend, b: Spend): Spend {
	return {
		input: a.input - b.input,
		output: a.output - b.output,
		cacheRead: a.cacheRead - b.cacheRead,
		cacheWrite: a.cacheWrite - b.cacheWrite,
		cost: a.cost - b.cost,
	};
}
