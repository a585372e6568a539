import { describe, expect, it } from "vitest";
import { readReferences } from "../../scripts/lib/references.ts";

describe("what a title names of the contract", () => {
	const named: readonly (readonly [title: string, keys: readonly string[]])[] = [
		["is woken by nobody", []],
		["is the same for all (seed 000 §15 invariant 26)", ["invariant 26"]],
		["is kept (seed 000 §11.2, invariant 17)", ["invariant 17"]],
		["is kept (invariants 7, 8 and 10)", ["invariant 7", "invariant 8", "invariant 10"]],
		["is kept (seed 000 §15 invariants 1 and 2)", ["invariant 1", "invariant 2"]],
		["decides nothing (seed 000 §15.15)", ["invariant 15"]],
		["fails at once (seed 000 §17 Cancellation: pre-aborted signal)", ["§17 Cancellation: pre-aborted signal"]],
		[
			"ends (seed 000 §8.3, §17 Lifecycle: error, stopped, invariants 5 and 26)",
			["invariant 5", "invariant 26", "§17 Lifecycle: error", "§17 Lifecycle: stopped"],
		],
		[
			"is read (seed 000 §17 Ownership: explicit consumption, §17 Lifecycle: completed)",
			["§17 Ownership: explicit consumption", "§17 Lifecycle: completed"],
		],
		["costs this much (seed 000 §17 Success, structured details)", ["§17 Success: structured details"]],
		["is refused (seed 000 §17 Semantic validation: missing target)", ["§17 Semantic validation: missing target"]],
		["an aborted call (seed 000 §17 Cancellation)", []],
		["spans both (seed 000 §17.2, §11.3)", ["§17.2"]],
		[
			"comes once (seed 000 §11.2, §18 Result appears twice, invariant 17)",
			["invariant 17", "§18 Result appears twice"],
		],
		[
			"group (seed 000 §17 Cancellation: nested abort) > test (invariant 8)",
			["invariant 8", "§17 Cancellation: nested abort"],
		],
		["names it twice (invariant 8, invariant 8)", ["invariant 8"]],
	];

	it.each(named)("%j: %j", (title, keys) => {
		expect(readReferences(title)).toEqual({ keys, unknown: [] });
	});

	const unknown: readonly (readonly [title: string, names: readonly string[]])[] = [
		["(invariant 28)", ["invariant 28"]],
		["(seed 000 §15.0)", ["invariant 0"]],
		["(seed 000 §17 Cancelation: nested abort)", ["§17 Cancelation: nested abort"]],
		["(seed 000 §17 Cancellation: late abort)", ["§17 Cancellation: late abort"]],
		["(seed 000 §17 Weather)", ["§17 Weather"]],
		["(seed 000 §17.4)", ["§17.4"]],
		["(seed 000 §18 Result appears thrice)", ["§18 Result appears thrice"]],
	];

	it.each(unknown)("%j names nothing that there is: %j", (title, names) => {
		expect(readReferences(title)).toEqual({ keys: [], unknown: names });
	});
});
