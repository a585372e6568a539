/**
 * The text between two bars of backticks that are longer than any run of backticks inside, so that nothing in it can
 * close the fence. The text itself is left as it is.
 */
export function fence(text: string, info: string): string {
	const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
	const bar = "`".repeat(Math.max(3, longest + 1));
	return `${bar}${info}\n${text}\n${bar}`;
}
