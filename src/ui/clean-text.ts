// Built from code points, so that no control character stands in the source. No pattern reads
// past what could begin another match, so that all of them are linear in the text.
const esc = "\\x1b";
const csi = `(?:${esc}\\[|\\x9b)[0-?]*[ -/]*[@-~]`;
const controlString = `(?:${esc}[\\]PX^_]|[\\x90\\x98\\x9d-\\x9f])[^\\x07\\x1b\\x90\\x98\\x9c-\\x9f]*(?:\\x07|${esc}\\\\|\\x9c)`;
const otherEscape = `${esc}[ -/]*[0-~]`;
const escapeSequences = new RegExp(`${controlString}|${csi}|${otherEscape}`, "g");
/** All that is left of C0 and C1, but the line break. */
const controls = /[^\P{Cc}\n]/gu;
/** They reorder what stands on a line, and so could make one word look like another. */
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text that can be drawn: without escape sequences, control characters and direction overrides. Lines stay lines; a
 * tab, which every terminal measures in its own way, becomes two spaces.
 */
export function cleanText(text: string): string {
	return text
		.replace(escapeSequences, "")
		.replace(/\r\n?|[\u2028\u2029]/g, "\n")
		.replace(/\t/g, "  ")
		.replace(controls, "")
		.replace(bidiControls, "")
		.replace(/\p{Surrogate}/gu, "\ufffd");
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
