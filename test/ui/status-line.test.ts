import { describe, expect, it } from "vitest";
import { reduceRecord } from "../../src/streams/reduce-record.ts";
import { statusLine } from "../../src/ui/status-line.ts";
import { ended, queued, running } from "./records.ts";

describe("statusLine", () => {
	const stopping = reduceRecord(
		running("s1"),
		{ type: "stop_requested", request: { status: "stopped", reason: "stopped_by_user" } },
		2_000,
	);

	it("counts what is live", () => {
		expect(statusLine([running("r1"), queued("q1"), ended("e1"), running("r2")])).toBe("agents: 2 running · 1 queued");
		expect(statusLine([queued("q1")])).toBe("agents: 1 queued");
		expect(statusLine([stopping, running("r1")])).toBe("agents: 1 running · 1 stopping");
	});

	it("is nothing when nothing is", () => {
		expect(statusLine([])).toBeUndefined();
		expect(statusLine([ended("e1")])).toBeUndefined();
	});
});
