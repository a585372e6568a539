import { NEVER, type Observable, of } from "rxjs";
import { describe, expect, it } from "vitest";
import { refCountClaim } from "../../src/operators/index.ts";
import type { AgentRun } from "../../src/streams/agent-run.ts";
import { endedRun, leftOf } from "../../src/streams/ended-run.ts";
import type { AgentRecord, TerminalRecord } from "../../src/streams/record.ts";
import { addSpend } from "../../src/streams/usage.ts";
import { spendOf } from "../support/run-script.ts";
import { ended, running } from "../ui/records.ts";

const settled = ended("a");
const claim = () => refCountClaim(of<TerminalRecord>(settled));

function heard(stream$: Observable<unknown>): unknown[] {
	const log: unknown[] = [];
	stream$
		.subscribe({
			next: (value) => log.push(value),
			error: (error: unknown) => log.push(error),
			complete: () => log.push("over"),
		})
		.unsubscribe();
	return log;
}

describe("a run that is over", () => {
	const record: TerminalRecord = { ...settled, closed: "verified" };

	it("tells its end as it was settled, and its rest as it is now; then both are over", () => {
		const run = endedRun({ settled, record, claim: claim(), unheard: ["more"] }, () => undefined);
		expect([run.key, run.record, run.unheard]).toEqual(["a#1", record, ["more"]]);
		expect([heard(run.watch$), heard(run.completion$)]).toEqual([
			[settled, "over"],
			[settled, "over"],
		]);
		expect(heard(run.closed$)).toEqual([record, "over"]);
	});

	it("waits for nothing, stands in no line, and has no message that anybody would read", () => {
		const run = endedRun({ settled, record, claim: claim(), unheard: [] }, () => undefined);
		expect([run.isOver, run.isWaiting, run.isInLine]).toEqual([true, false, false]);
		run.mailbox.post({ text: "hello", from: "parent" });
		expect([run.mailbox.size, run.mailbox.drain(), heard(run.mailbox.deliver(NEVER))]).toEqual([0, [], ["over"]]);
	});

	it("takes what its session still spends, and tells that; nothing else changes it", () => {
		const told: AgentRecord[] = [];
		const run = endedRun({ settled, record, claim: claim(), unheard: [] }, (snapshot) => told.push(snapshot));
		run.stop({ status: "stopped", reason: "stopped_by_user" });
		run.wrapUp("money");
		expect([run.record, told]).toEqual([record, []]);
		run.inherit(spendOf(5));
		expect(told).toEqual([run.record]);
		expect(run.record).toEqual({ ...record, spend: addSpend(record.spend, spendOf(5)) });
	});

	it("is not made of one that has not ended, or not yet told its end", () => {
		const going = { key: "a#1", record: running("a"), claim: claim(), unheard: [] };
		const nothing = () => undefined;
		// Of a run only these are used.
		const left = (run: object) => () => leftOf(run as AgentRun, nothing);
		expect(left({ ...going, completion$: of(settled) })).toThrow("a#1 is not over");
		expect(left({ ...going, record, completion$: of() })).toThrow("a#1 is not over");
		expect(left({ ...going, record, completion$: of(settled) })().record).toBe(record);
	});
});
