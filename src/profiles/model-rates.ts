/** What a model costs, in US dollars for a million tokens. */
export interface ModelRates {
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheWrite: number;
}
