import { VirtualTimeScheduler } from "rxjs";
import { describe, expect, it } from "vitest";
import { wrapUpMessage } from "../../src/streams/limits.ts";
import type { RunLimits } from "../../src/streams/ports.ts";
import type { AgentRecord, RunningRecord } from "../../src/streams/record.ts";
import type { RunEvent } from "../../src/streams/run-event.ts";
import { createRunLimiter } from "../../src/streams/run-limiter.ts";
import { spendOf, testConfig } from "../support/run-script.ts";
import { ended, queued, running } from "../ui/records.ts";

const goesOn: RunEvent = { type: "turn_ended", continues: true };
const byUser = { status: "stopped", reason: "stopped_by_user" } as const;

/** A limiter of a run with these limits, which began at 0, and what it does with the run. */
function world(limits: Partial<RunLimits>, first: Partial<RunningRecord> = {}) {
	const config = { ...testConfig, limits: { graceTurns: 1, ...limits } };
	let record: AgentRecord = { ...(running("a", { config }) as RunningRecord), ...first };
	let moneySpent = false;
	let othersAtWork = false;
	const scheduler = new VirtualTimeScheduler();
	const log: string[] = [];
	const limiter = createRunLimiter({
		record: () => record,
		apply: (event) => log.push(event.type === "wrap_up_asked" ? `asked for ${event.limit}` : event.type),
		stop: ({ reason }) => log.push(`${scheduler.frame} stop: ${reason}`),
		mailbox: { post: ({ text, from }) => log.push(`${from}: ${text}`) },
		scheduler,
		isMoneySpent: () => moneySpent,
		hasOthersAtWork: () => othersAtWork,
	});
	/** What these events lead to, each of which is heard at the present time. */
	const heard = (...events: RunEvent[]): string[] => {
		log.length = 0;
		for (const event of events) limiter.heard(event);
		return [...log];
	};
	return {
		limiter,
		log,
		heard,
		is: (next: AgentRecord) => {
			record = next;
		},
		changes: (change: Partial<RunningRecord>) => {
			record = { ...(record as RunningRecord), ...change };
		},
		spendsTheMoney: () => {
			moneySpent = true;
		},
		hasOthersAtWork: (are: boolean) => {
			othersAtWork = are;
		},
		until: (frame: number) => {
			scheduler.maxFrames = frame;
			scheduler.flush();
			scheduler.frame = frame;
		},
		left: () => scheduler.actions.filter(({ closed }) => !closed).length,
	};
}

describe("asking an agent to wrap up", () => {
	it("is noted in the record and put into its mailbox, as from us", () => {
		const { limiter, log } = world({ graceTurns: 3 });
		limiter.wrapUp("money");
		expect(log).toEqual(["asked for money", `limit: ${wrapUpMessage("money", 3)}`]);
	});

	it("is left out where it does not run, has been asked, or is being stopped", () => {
		const { limiter, log, is, changes } = world({});
		for (const record of [queued("a"), ended("a")]) {
			is(record);
			limiter.wrapUp("money");
		}
		is(running("a"));
		changes({ wrapUpAsked: true });
		limiter.wrapUp("money");
		changes({ wrapUpAsked: false, stopping: byUser });
		limiter.wrapUp("money");
		expect(log).toEqual([]);
	});
});

describe("what a run has used", () => {
	const message = (input: number, output: number): RunEvent => ({
		type: "message_ended",
		text: "",
		spend: { ...spendOf(input, output), cacheRead: 1e6, cacheWrite: 1e6 },
	});

	it("is what went in and came out: of messages, of compactions and of tools with a model; and not of the cache", () => {
		const { heard } = world({ maxTokens: 100 }, { wrapUpAsked: true });
		expect(heard(message(30, 20), goesOn)).toEqual([]);
		expect(heard({ type: "compacted", spend: spendOf(20, 9) }, goesOn)).toEqual([]);
		const tool = { type: "tool_ended", toolCallId: "t", toolName: "read", isError: false } as const;
		expect(heard(tool, { ...tool, spend: spendOf(10, 10) }, goesOn)).toEqual([]);
		expect(heard(message(1, 0), goesOn)).toEqual(["0 stop: token_limit"]);
	});

	it("is looked at where another turn would follow, of a run that goes on, and nowhere else", () => {
		const { heard, is, spendsTheMoney } = world({ maxTokens: 1 });
		spendsTheMoney();
		expect(heard(message(5, 5), { type: "turn_started" }, { type: "stirred" })).toEqual([]);
		expect(heard({ type: "turn_ended", continues: false })).toEqual([]);
		is(ended("a"));
		expect(heard(goesOn)).toEqual([]);
	});

	it("is looked at, too, where a turn follows that nobody had asked for, before it begins: once for each of them", () => {
		const { limiter, heard, log, changes } = world({ maxTurns: 2 }, { turns: 3 });
		const ends: RunEvent = { type: "turn_ended", continues: false };
		expect(heard(ends)).toEqual([]);
		limiter.turnBegins();
		limiter.turnBegins();
		expect(log.splice(0)).toEqual(["0 stop: turn_limit"]);
		// What was looked at at its end is not looked at again.
		changes({ turns: 2 });
		expect(heard(goesOn)).toHaveLength(2);
		changes({ turns: 3 });
		limiter.turnBegins();
		expect(log).toHaveLength(2);
	});

	it("asks for no wrap-up where such a turn begins, which could not be read in it; but at its end, with the turns that are left", () => {
		const { limiter, heard, log, changes } = world({ maxTurns: 1, graceTurns: 3 }, { turns: 1 });
		heard({ type: "turn_ended", continues: false });
		limiter.turnBegins();
		expect(log).toEqual([]);
		changes({ turns: 2 });
		expect(heard(goesOn)).toEqual(["asked for turns", `limit: ${wrapUpMessage("turns", 2)}`]);
	});

	it("is asked about by who would begin another turn: no more than is allowed, and with a wrap-up none the less", () => {
		const { limiter, log, is, changes, spendsTheMoney } = world({ maxTurns: 2 }, { turns: 2 });
		expect(limiter.mayGoOn()).toBe(true);
		changes({ turns: 3, wrapUpAsked: true });
		expect(limiter.mayGoOn()).toBe(false);
		changes({ turns: 1 });
		expect(limiter.mayGoOn()).toBe(true);
		spendsTheMoney();
		expect(limiter.mayGoOn()).toBe(false);
		is(ended("a"));
		expect(limiter.mayGoOn()).toBe(true);
		expect(log).toEqual([]);
	});

	it("includes the money of all agents", () => {
		const { heard, spendsTheMoney } = world({});
		expect(heard(goesOn)).toEqual([]);
		spendsTheMoney();
		expect(heard(goesOn)).toEqual(["0 stop: budget"]);
	});

	it("is all its tools from the first turn on in which it has started that many: the grace counts from there", () => {
		const { heard, changes } = world({ maxTools: 2, graceTurns: 2 }, { turns: 3, toolsStarted: 1 });
		expect(heard(goesOn)).toEqual([]);
		changes({ turns: 4, toolsStarted: 2 });
		expect(heard(goesOn)[0]).toBe("asked for tools");
		changes({ turns: 5, toolsStarted: 3, wrapUpAsked: true });
		expect(heard(goesOn)).toEqual([]);
		changes({ turns: 6 });
		expect(heard(goesOn)).toEqual(["0 stop: tool_limit"]);
	});
});

describe("the silence of a run", () => {
	it("begins anew with each event, and is none while its provider is waited for", () => {
		const { limiter, log, until } = world({ idleTimeout: 10 });
		limiter.start();
		until(9_000);
		limiter.heard({ type: "stirred" });
		until(18_000);
		limiter.heard({ type: "provider_wait", waiting: true });
		until(60_000);
		limiter.heard({ type: "provider_wait", waiting: false });
		until(69_000);
		limiter.heard({ type: "retrying", attempt: 1, message: "429" });
		until(200_000);
		expect(log).toEqual([]);
		limiter.heard({ type: "turn_started" });
		until(300_000);
		expect(log).toEqual(["210000 stop: idle_timeout"]);
	});

	it("is none while an agent below it is at work, and begins with what is heard of that one's end", () => {
		const { limiter, log, until, hasOthersAtWork } = world({ idleTimeout: 10 });
		limiter.start();
		until(5_000);
		hasOthersAtWork(true);
		limiter.heard({ type: "stirred" });
		until(60_000);
		hasOthersAtWork(false);
		limiter.heard({ type: "stirred" });
		until(100_000);
		expect(log).toEqual(["70000 stop: idle_timeout"]);
	});

	it("and its time leave no timer when it is over", () => {
		const { limiter, log, until, left } = world({ idleTimeout: 10, runTimeout: 20 });
		limiter.start();
		until(1_000);
		limiter.close();
		expect(left()).toBe(0);
		until(100_000);
		expect(log).toEqual([]);
	});
});
