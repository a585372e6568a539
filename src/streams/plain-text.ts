/**
 * Patterns are built from code points so that no control character stands in the source. Each one is linear: what it
 * repeats never contains the character that starts another match.
 */
const ESC = "\\x1b";
/** Without tab and newline. */
const C0 = "\\x00-\\x08\\x0b-\\x1f";
/** With DEL. */
const C1 = "\\x7f-\\x9f";

/** OSC, as terminals read it: up to BEL or ST. Not across lines, so that a stray introducer cannot swallow an answer. */
const operatingSystemCommand = new RegExp(
	`(?:${ESC}\\]|\\x9d)[^\\x07\\x1b\\x9c\\x9d\\n]*(?:\\x07|${ESC}\\\\|\\x9c)`,
	"g",
);
/** DCS, SOS, PM and APC, up to ST: pictures and multiplexer payloads, which may span lines. */
const controlString = new RegExp(
	`(?:${ESC}[PX^_]|[\\x90\\x98\\x9e\\x9f])[^\\x1b\\x90\\x98\\x9c\\x9e\\x9f]*(?:${ESC}\\\\|\\x9c)`,
	"g",
);
const controlSequence = new RegExp(`(?:${ESC}\\[|\\x9b)[0-?]*[ -/]*[@-~]`, "g");
const shortEscape = new RegExp(`${ESC}[ -/]*[0-~]`, "g");
const controls = new RegExp(`[${C0}${C1}]`, "g");
/** Embeddings, overrides and isolates: they reorder what a person sees. Plain direction marks are left alone. */
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/g;
const loneSurrogates = /\p{Surrogate}/gu;

/**
 * Text from a child or a provider without what could steer a terminal or hide itself: escape sequences with their
 * payloads, control characters and bidi overrides are removed, newlines and tabs kept, carriage returns become
 * newlines, and half surrogate pairs become U+FFFD. Applying it twice changes nothing more.
 *
 * ```ts
 * sanitizeText("\u001b[31mred\u001b[0m"); // "red"
 * ```
 */
export function sanitizeText(text: string): string {
	return text
		.replace(operatingSystemCommand, "")
		.replace(controlString, "")
		.replace(controlSequence, "")
		.replace(shortEscape, "")
		.replace(/\r\n?/g, "\n")
		.replace(controls, "")
		.replace(bidiControls, "")
		.replace(loneSurrogates, "\ufffd");
}

/** Sanitized text on one line, at most `limit` characters long, for values inside a line of ours. */
export function oneLine(text: string, limit: number): string {
	const line = sanitizeText(text).replace(/\s+/g, " ").trim();
	if (line.length <= limit) return line;
	return `${line.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
