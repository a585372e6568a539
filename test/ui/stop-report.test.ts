import { describe, expect, it } from "vitest";
import type { StopReport } from "../../src/streams/agents.ts";
import type { AgentId } from "../../src/streams/ids.ts";
import type { AgentRecord } from "../../src/streams/record.ts";
import { reduceRecord } from "../../src/streams/reduce-record.ts";
import { stopReport } from "../../src/ui/index.ts";
import { crewOf } from "./groups.ts";
import { ended, queued } from "./records.ts";

const byUser = { verdict: { status: "stopped", reason: "stopped_by_user" } } as const;

const byParent = { verdict: { status: "stopped", reason: "stopped_by_parent" } } as const;

const report = (record: AgentRecord, result: StopReport["result"] = "stopped"): StopReport => ({
	agentId: record.agentId,
	result,
	record,
});

const unstarted = reduceRecord(
	queued("wait-1"),
	{ type: "settled", outcome: { ...byUser, text: "", unread: [] } },
	2_000,
);

describe("the report on a stop", () => {
	it("says whose agents have been stopped with it", () => {
		const below = ended("part-1", byParent, { parent: "lead-1" as AgentId });
		expect(stopReport({ ids: ["lead-1"] }, [report(below)], [])).toBe(
			"Stopped part-1, started by lead-1: its session has come to rest.",
		);
	});

	it("says of each agent whether it is known to rest, was in line, or came to its own end", () => {
		const reports = [
			report(ended("run-1", byUser)),
			report(ended("deaf-1", byUser), "unverified"),
			report(unstarted),
			report(ended("done-1")),
			report(ended("over-1"), "not_live"),
		];
		const ids = reports.map(({ agentId }) => agentId);
		expect(stopReport({ ids }, reports, []).split("\n")).toEqual([
			"Stopped run-1: its session has come to rest.",
			"Told deaf-1 to stop, but its session has not come to rest: it may still be working.",
			"Stopped wait-1: it had not started.",
			"done-1 came to its own end first: completed.",
			"over-1 had ended before: completed.",
		]);
	});

	it("names the scope before: all, the background alone, or a group", () => {
		const one = report(ended("run-1", byUser));
		const first = (text: string) => text.split("\n")[0];
		expect(first(stopReport("all", [one, one], []))).toBe("All agents of this session: 2 agents.");
		expect(first(stopReport("background", [one], []))).toBe(
			"All agents in the background: 1 agent. Those in the foreground go on.",
		);
		const group = crewOf("g-12345678", [one.record]);
		expect(first(stopReport({ ids: ["g-12"] }, [one], [group]))).toBe("The members of g-12345678:");
	});
});
