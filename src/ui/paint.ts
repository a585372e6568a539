import type { Theme } from "@earendil-works/pi-coding-agent";

/** What the render functions use of the host's theme. */
export type Paint = Pick<Theme, "fg" | "bold">;

type Colour = Parameters<Paint["fg"]>[0];

const marks: ReadonlyMap<string, readonly [mark: string, colour: Colour]> = new Map([
	["queued", ["○", "muted"]],
	["running", ["●", "accent"]],
	["completed", ["✓", "success"]],
	["steered", ["✓", "success"]],
	["aborted", ["✗", "warning"]],
	["stopped", ["■", "warning"]],
	["error", ["✗", "error"]],
]);

/** The status behind its mark. A status that is not known here, as an older or newer session may hold, has a plain one. */
export function paintStatus(status: string, words: string, paint: Paint): string {
	const [mark, colour] = marks.get(status) ?? (["·", "muted"] as const);
	return paint.fg(colour, `${mark} ${words}`);
}

/** The parts that are there, between dots. */
export function dotted(parts: readonly (string | undefined)[]): string {
	return parts.filter((part) => part !== undefined && part !== "").join(" · ");
}
