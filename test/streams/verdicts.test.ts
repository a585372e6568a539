import { describe, expect, it } from "vitest";
import { LedgerFailure } from "../../src/streams/run-ledger.ts";
import { readVerdict } from "../../src/streams/verdicts.ts";

describe("a verdict that was written down", () => {
	it("is read with its reason, and without one as the plainest of its status", () => {
		expect(readVerdict("stopped", "stopped_by_user")).toEqual({ status: "stopped", reason: "stopped_by_user" });
		expect(readVerdict("completed")).toEqual({ status: "completed", reason: "done" });
		expect(readVerdict("error")).toEqual({ status: "error", reason: "internal" });
	});

	it.each([
		["completed", ["done", "empty", "truncated"]],
		["steered", ["wrapped_up"]],
		["aborted", ["turn_limit", "tool_limit", "token_limit", "budget", "timeout", "idle_timeout"]],
		["stopped", ["stopped_by_parent", "stopped_by_user", "parent_shutdown", "dependency_failed"]],
		["error", ["internal", "provider_error", "startup_failure", "interrupted"]],
	])("may be %s for %j", (status, reasons) => {
		expect(reasons.map((reason) => readVerdict(status, reason))).toEqual(reasons.map((reason) => ({ status, reason })));
	});

	it.each([
		["a reason of another status", "completed", "stopped_by_user"],
		["a status that there is not", "gone", "done"],
		["a name that every object has", "toString", "done"],
		["a reason that every object has", "completed", "toString"],
		["a status in a list", ["completed"], "done"],
		["a reason in a list", "completed", ["done"]],
		["no status", undefined, "done"],
	])("is none with %s", (_what, status, reason) => {
		expect(readVerdict(status, reason)).toBeUndefined();
	});
});

describe("a failure of the ledger", () => {
	it("is told from others by its name", () => {
		expect(new LedgerFailure("the disk is full")).toMatchObject({ name: "LedgerFailure", message: "the disk is full" });
	});
});
