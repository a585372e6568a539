import { describe, expect, it } from "vitest";
import { isSuccess, type Verdict } from "../../src/streams/index.ts";

describe("a verdict", () => {
	it.each<Verdict>([
		{ status: "completed", reason: "done" },
		{ status: "completed", reason: "empty" },
		{ status: "completed", reason: "truncated" },
		{ status: "steered", reason: "wrapped_up" },
	])("of an agent that did what it was asked to is a success: $status $reason", (verdict) => {
		expect(isSuccess(verdict)).toBe(true);
	});

	it.each<Verdict>([
		{ status: "aborted", reason: "turn_limit" },
		{ status: "stopped", reason: "stopped_by_user" },
		{ status: "error", reason: "provider_error" },
	])("of any other is none: $status $reason (seed 000 §6.5)", (verdict) => {
		expect(isSuccess(verdict)).toBe(false);
	});
});
