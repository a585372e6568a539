import { sanitizeText } from "../streams/plain-text.ts";

/**
 * Text that can be drawn: sanitized, with every kind of line break a newline, and with tabs, which each terminal measures
 * in its own way, as two spaces.
 */
export function cleanText(text: string): string {
	return sanitizeText(text)
		.replace(/[\u2028\u2029]/g, "\n")
		.replace(/\t/g, "  ");
}

/** The same on one line, at most `max` characters long. */
export function cleanLine(text: string, max = 200): string {
	// Cut before anything else: what is streamed in can be long, and only its beginning will be seen.
	const line = cleanText(text.slice(0, max * 8))
		.replace(/\s+/g, " ")
		.trim();
	const characters = [...line];
	return characters.length <= max ? line : `${characters.slice(0, max - 1).join("")}…`;
}
