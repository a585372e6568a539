import type { AgentRecord } from "../streams/record.ts";

/** What the footer says while agents are live, `agents: 2 running · 1 queued`; `undefined` when none is. */
export function statusLine(records: Iterable<AgentRecord>): string | undefined {
	const counts = { running: 0, stopping: 0, queued: 0 };
	for (const record of records) {
		if (record.status === "queued") counts.queued++;
		else if (record.status === "running") counts[record.stopping === undefined ? "running" : "stopping"]++;
	}
	const parts = Object.entries(counts).flatMap(([name, count]) => (count === 0 ? [] : `${count} ${name}`));
	return parts.length === 0 ? undefined : `agents: ${parts.join(" · ")}`;
}
