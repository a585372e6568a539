import { TestScheduler } from "rxjs/testing";

/** One row of a diagram. */
export interface Row {
	readonly label: string;
	readonly marbles: string;
}

export interface Diagram {
	readonly inputs: readonly Row[];
	readonly outputs: readonly Row[];
}

/** Something that happens in a frame. */
export interface Mark {
	readonly frame: number;
	readonly letter: string;
}

/** The lines of a diagram without the indentation that all of them share. */
export function diagramLines(diagram: string): string[] {
	const lines = diagram.split("\n").filter((line) => line.trim() !== "");
	const indentation = Math.min(...lines.map((line) => line.search(/\S/)));
	return lines.map((line) => line.slice(indentation).trimEnd());
}

/** Reads a diagram: rows of a label, two spaces or more, and marbles; a line of `=` parts what happens from what comes of it. */
export function parseDiagram(diagram: string): Diagram {
	const lines = diagramLines(diagram);
	const line = lines.findIndex((text) => /^=+$/.test(text));
	if (line < 1 || line === lines.length - 1)
		throw new Error(`a diagram has rows on both sides of its line:\n${diagram}`);
	return { inputs: lines.slice(0, line).map(parseRow), outputs: lines.slice(line + 1).map(parseRow) };
}

function parseRow(text: string): Row {
	const [, label, marbles] = /^(\S.*?) {2,}(\S.*)$/.exec(text) ?? [];
	if (label === undefined || marbles === undefined) throw new Error(`not a row of a diagram: "${text}"`);
	return { label, marbles };
}

/** Values as their letters, an error as `#`, the end as `|`. Only within a virtual run, whose frames are milliseconds. */
export function marksOf(marbles: string): Mark[] {
	return TestScheduler.parseMarbles(marbles, undefined, undefined, false, true).map(({ frame, notification }) => ({
		frame,
		letter: notification.kind === "N" ? String(notification.value) : notification.kind === "E" ? "#" : "|",
	}));
}

/** `^` and `!` in the order in which they stand. */
export function callMarksOf(marbles: string): Mark[] {
	const { subscribedFrame, unsubscribedFrame } = TestScheduler.parseMarblesAsSubscriptions(marbles, true);
	const marks = [
		{ frame: subscribedFrame, letter: "^" },
		{ frame: unsubscribedFrame, letter: "!" },
	].filter(({ frame }) => Number.isFinite(frame));
	return marks.sort((a, b) => a.frame - b.frame || marbles.indexOf(a.letter) - marbles.indexOf(b.letter));
}

/** Marks as one line that can be compared and read: `5:r 7:c|`. */
export function marksText(marks: readonly Mark[]): string {
	const frames = [...new Set(marks.map(({ frame }) => frame))];
	return frames.map((frame) => `${frame}:${lettersAt(marks, frame)}`).join(" ");
}

function lettersAt(marks: readonly Mark[], at: number): string {
	return marks
		.filter(({ frame }) => frame === at)
		.map(({ letter }) => letter)
		.join("");
}
