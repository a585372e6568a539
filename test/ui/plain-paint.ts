import type { Line } from "../../src/ui/lines.ts";
import type { Paint } from "../../src/ui/paint.ts";

/** A theme without colours, so that a test reads what a person reads. */
export const plainPaint: Paint = { fg: (_colour, text) => text, bold: (text) => text };

/** A theme that says which colour it was asked for. */
export const namedPaint: Paint = { fg: (colour, text) => `<${colour}>${text}</>`, bold: (text) => text };

export function texts(lines: readonly Line[]): readonly string[] {
	return lines.map((line) => line.text);
}

const colourCode = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

/** The row without the codes that style it. */
export function withoutColours(row: string): string {
	return row.replaceAll(colourCode, "");
}
