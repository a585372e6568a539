import { expect } from "vitest";
import { marbles } from "./marbles.ts";
import { callMarksOf, type Diagram, type Mark, marksOf, marksText, parseDiagram, type Row } from "./race-diagram.ts";
import { raceWorld } from "./race-world.ts";

/** Rows that may stay out of a diagram though something came of them: they show how, not what. */
const optional = /^(status|owner|started|ended|updates|told|spawn|group|each|chain|run) ?/;

/** The test of one diagram: what it says above its line is done, and what came of it is compared with what stands below. */
export function raceTest(diagram: string): () => void {
	return marbles((helpers, scheduler) => {
		const { inputs, outputs } = parseDiagram(diagram);
		const ownSignals = new Set(inputs.filter(({ marbles: row }) => row.includes("!")).map(({ label }) => label));
		const world = raceWorld(scheduler, ownSignals);
		const marks = inputs.map((row) => ({ row, marks: inputMarks(row) }));
		const expected = outputs.map((row) => [row.label, marksText(outputMarks(row))]);
		// The order of scheduling is the order within a frame: from top to bottom.
		for (const { row, marks: todo } of marks) {
			const label = row.label.replace(/^~/, "");
			for (const { frame, letter } of todo) {
				const act = () => world.act(label, letter);
				// A timer that is due in this frame was set earlier, so it stands before what is scheduled now.
				scheduler.schedule(label === row.label ? act : () => void scheduler.schedule(act), frame);
			}
		}
		let leaks: string[] | undefined;
		scheduler.schedule(
			() => {
				leaks = world.leaks();
				world.close();
			},
			lastFrame([...inputs, ...outputs]) + 1,
		);
		helpers.flush();

		const unnamed = [...world.rows.keys()].filter((label) => !optional.test(label));
		const labels = new Set([...outputs.map(({ label }) => label), ...unnamed]);
		const actual = [...labels].map((label) => [label, marksText(world.rows.get(label) ?? [])]);
		expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(expected));
		expect(leaks, "calls with a listener too many or too few on their signal").toEqual([]);
	});
}

/** Throws unless the diagrams are the same rows in different orders, of which two meet in a frame, and each has a run's subscription. */
export function checkOrders(diagrams: Readonly<Record<string, string>>): void {
	const parsed = Object.values(diagrams).map(parseDiagram);
	const orders = parsed.map(({ inputs }) => inputs.map(rowText).sort());
	expect(orders, "the same rows in every order").toEqual(orders.map(() => orders[0]));
	const drawn = parsed.map(({ inputs }) => inputs.map(({ label }) => label).join(", "));
	expect(new Set(drawn).size, "no order twice").toBe(drawn.length);
	// A row that begins with `~` meets a timer.
	const timed = drawn.some((labels) => labels.includes("~"));
	if (parsed.length > 1 && !timed) expect(meetings(parsed[0]?.inputs ?? []), "two rows in one frame").not.toEqual([]);
	for (const { outputs } of parsed) {
		expect(outputs.map(({ label }) => label)).toContainEqual(expect.stringMatching(/^run /));
	}
}

/** The frames after the first in which more than one row acts. */
function meetings(rows: readonly Row[]): number[] {
	const frames = rows.flatMap((row) => [...new Set(inputMarks(row).map(({ frame }) => frame))]);
	return frames.filter((frame, index) => frame > 0 && frames.indexOf(frame) !== index);
}

function rowText({ label, marbles: row }: Diagram["inputs"][number]): string {
	return `${label.replace(/^~/, "")} ${row.replace(/[ -]+$/, "")}`;
}

const isCall = (label: string) => /^(wait|Agent|crew|crew-chain|waitall) /.test(label);

function inputMarks({ label, marbles: row }: Row): Mark[] {
	return isCall(label) ? callMarksOf(row) : marksOf(row);
}

/** Of a run, its subscription; of everything else, its values. */
function outputMarks({ label, marbles: row }: Row): Mark[] {
	return label.startsWith("run ") ? callMarksOf(row) : marksOf(row);
}

/** The length of the longest row, in frames: an end mark behind it stands there. */
function lastFrame(rows: readonly Row[]): number {
	return Math.max(...rows.map((row) => Math.max(row.marbles.length, ...inputOrOutput(row).map(({ frame }) => frame))));
}

function inputOrOutput(row: Row): Mark[] {
	return /[!^]/.test(row.marbles) ? callMarksOf(row.marbles) : marksOf(row.marbles);
}
