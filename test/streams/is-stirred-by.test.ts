import { describe, expect, it } from "vitest";
import { toCorrelationId } from "../../src/streams/ids.ts";
import { isStirredBy } from "../../src/streams/is-stirred-by.ts";
import { newRecord } from "../../src/streams/record.ts";
import { reduceRecord } from "../../src/streams/reduce-record.ts";
import { agentId, doneOutcome, testConfig } from "../support/run-script.ts";

const queued = newRecord(
	{
		agentId: agentId("a1b2"),
		correlationId: toCorrelationId("c"),
		description: "look around",
		config: testConfig,
		background: true,
	},
	0,
);
const running = reduceRecord(queued, { type: "admitted" }, 5_000);
const ended = reduceRecord(running, { type: "settled", outcome: doneOutcome }, 5_001);

describe("an agent whose own agent says something", () => {
	it("is told at once of one that stands in line or has ended", () => {
		expect([queued, ended].map((own) => isStirredBy(own, running, 5_000))).toEqual([true, true]);
	});

	it("is told of one that works when it has not been heard of for a second", () => {
		expect([5_000, 5_999, 6_000].map((now) => isStirredBy(running, running, now))).toEqual([false, false, true]);
	});

	it("is told nothing while it is in line, or when it has ended", () => {
		expect([queued, ended].map((parent) => isStirredBy(ended, parent, 9_000))).toEqual([false, false]);
	});
});
