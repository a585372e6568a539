import { describe, expect, it } from "vitest";
import { createLine } from "../../../src/operators/create-line.ts";

describe("createLine", () => {
	it("gives what joined first, and undefined when nobody is there", () => {
		const line = createLine<string>();
		line.join("a");
		line.join("b");
		expect([line.next(), line.next(), line.next()]).toEqual(["a", "b", undefined]);
	});

	it("lets anyone leave from the middle, once, and counts who is there", () => {
		const line = createLine<string>();
		line.join("a");
		const leave = line.join("b");
		line.join("c");
		leave();
		leave();
		expect(line.size).toBe(2);
		expect([line.next(), line.next(), line.next()]).toEqual(["a", "c", undefined]);
	});

	it("does not take out another one when somebody leaves who was taken before", () => {
		const line = createLine<string>();
		const leave = line.join("a");
		expect(line.next()).toBe("a");
		line.join("b");
		leave();
		expect(line.size).toBe(1);
		expect(line.next()).toBe("b");
	});

	it("gives an item that is undefined like any other", () => {
		const line = createLine<string | undefined>();
		line.join(undefined);
		line.join("b");
		expect([line.next(), line.size, line.next()]).toEqual([undefined, 1, "b"]);
	});
});
