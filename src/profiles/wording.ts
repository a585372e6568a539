// Control characters would let a name in a file, or from a model, write to the terminal or forge a line of a result.
const controlCharacters = /[\p{Cc}\u2028\u2029]+/gu;

/** Somebody else's text as part of a message of ours: one line, no control characters, at most `max` characters. */
export function quote(text: string, max = 80): string {
	const clean = text.replace(controlCharacters, " ");
	const characters = [...clean];
	return characters.length <= max ? clean : `${characters.slice(0, max - 1).join("")}…`;
}

/** The words joined by commas; what is beyond `max` is counted, not named. */
export function listWords(words: readonly string[], max = 12): string {
	if (words.length === 0) return "none";
	const shown = words
		.slice(0, max)
		.map((word) => quote(word))
		.join(", ");
	return words.length <= max ? shown : `${shown} and ${words.length - max} more`;
}
