import { cleanText } from "./clean-text.ts";
import type { Line } from "./lines.ts";

/** How much of a text is drawn: enough to read an answer, and little enough to draw at once. */
export const bodyBounds = { lines: 200, characters: 24_000 } as const;

/** A text as lines to read, bounded; what is left out is counted. */
export function bodyLines(
	text: string,
	paint: (line: string) => string,
	bounds: { readonly lines: number; readonly characters: number } = bodyBounds,
): readonly Line[] {
	const shown = cleanText(text.slice(0, bounds.characters)).trim();
	if (shown === "") return [];
	const lines = shown.split("\n");
	const leftOut = Math.max(0, lines.length - bounds.lines);
	const rest = text.length > bounds.characters ? "… more text" : leftOut > 0 ? `… ${leftOut} more lines` : undefined;
	return [...lines.slice(0, bounds.lines), ...(rest === undefined ? [] : [rest])].map((line) => ({
		text: paint(line),
		overflow: "wrap",
	}));
}
