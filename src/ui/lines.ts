import { type Component, truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";

/** A line to draw: styled, without line breaks. What does not fit is cut with an ellipsis, or goes on below. */
export interface Line {
	readonly text: string;
	readonly overflow: "cut" | "wrap";
}

/**
 * Lines as a component. None is ever wider than it may be: the host ends the session over a line that is, and its own
 * `Text` draws one when a wide character meets a width of 1. `indent` columns stay free on the left where there is room.
 */
export function linesComponent(lines: readonly Line[], indent = 0): Component {
	let drawn: { readonly width: number; readonly rows: readonly string[] } | undefined;
	return {
		render(width) {
			if (drawn?.width !== width) drawn = { width, rows: drawLines(lines, width, indent) };
			return drawn.rows;
		},
		invalidate() {
			drawn = undefined;
		},
	};
}

/** The rows of a terminal `width` columns wide. */
export function drawLines(lines: readonly Line[], width: number, indent = 0): readonly string[] {
	const free = width > indent * 2 ? indent : 0;
	const room = width - free;
	const margin = " ".repeat(free);
	return lines.flatMap((line) => {
		const rows = line.overflow === "cut" || room < 2 ? [line.text] : wrapTextWithAnsi(line.text, room);
		return rows.map((row) => margin + fitRow(row, room));
	});
}

/** The row in at most `width` columns. */
function fitRow(row: string, width: number): string {
	if (visibleWidth(row) <= width) return row;
	const cut = truncateToWidth(row, width, "…");
	// Belt and braces: should the two ever disagree about a glyph, an empty row is better than no session.
	return visibleWidth(cut) <= width ? cut : "";
}
