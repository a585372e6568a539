import { describe, expect, it } from "vitest";
import { createGroupGate } from "../../src/streams/group-gate.ts";

/** A gate, and all that its observer hears. */
function world(join: "group" | "each") {
	const gate = createGroupGate(join);
	const heard: unknown[] = [];
	const listening = gate.state$.subscribe({
		next: (open) => heard.push(open),
		error: (error: unknown) => heard.push(error),
		complete: () => heard.push("over"),
	});
	return { gate, heard, listening };
}

describe("a group's gate", () => {
	it("is shut until all have ended, where the results go as one, and then open for good", () => {
		const { gate, heard, listening } = world("group");
		expect(gate.current).toBe(false);
		gate.settle();
		gate.settle();
		expect([gate.current, heard]).toEqual([true, [false, true]]);
		listening.unsubscribe();
	});

	it("is open from the beginning where each goes by itself, and the end of all is no news", () => {
		const { gate, heard, listening } = world("each");
		gate.settle();
		expect([gate.current, heard]).toEqual([true, [true]]);
		listening.unsubscribe();
	});

	it("is shut while anybody holds it, who lets go once however often that is said", () => {
		const { gate, heard, listening } = world("each");
		const [first, second] = [gate.hold(), gate.hold()];
		first();
		first();
		expect([gate.current, heard]).toEqual([false, [true, false]]);
		second();
		expect([gate.current, heard]).toEqual([true, [true, false, true]]);
		const third = gate.hold();
		first();
		second();
		expect(gate.current).toBe(false);
		third();
		expect(gate.current).toBe(true);
		listening.unsubscribe();
	});

	it("opens with the last of both: all have ended, and nobody holds it", () => {
		const { gate, heard, listening } = world("group");
		const letGo = gate.hold();
		gate.settle();
		expect([gate.current, heard]).toEqual([false, [false]]);
		letGo();
		const again = gate.hold();
		again();
		expect([gate.current, heard]).toEqual([true, [false, true, false, true]]);
		listening.unsubscribe();
	});
});
