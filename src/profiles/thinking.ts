/** How much a model may think before it answers, from least to most. */
export const thinkingLevels: readonly string[] = ["off", "minimal", "low", "medium", "high", "xhigh", "max"];

/**
 * The nearest level that a model has: the next higher one, and where there is none the next lower. This is the host's
 * own rule, so that what is announced is what runs. A model of which no level is known cannot think.
 */
export function clampThinking(level: string, available: readonly string[]): string {
	if (available.includes(level)) return level;
	const wanted = thinkingLevels.indexOf(level);
	if (wanted === -1) return available[0] ?? "off";
	const higher = thinkingLevels.slice(wanted + 1);
	const lower = thinkingLevels.slice(0, wanted).reverse();
	return [...higher, ...lower].find((candidate) => available.includes(candidate)) ?? available[0] ?? "off";
}
