import { noop, Observable, of, type Subscriber, Subscription, VirtualTimeScheduler } from "rxjs";
import { describe, expect, it } from "vitest";
import {
	createAgents,
	type RunEvent,
	type RunInputs,
	type RunSpec,
	type StartRun,
	SteerRefused,
	type TerminalRecord,
	toCorrelationId,
} from "../../../src/streams/index.ts";
import { request, word } from "../../support/agents-fixture.ts";
import { agentId, doneOutcome, runEvents, spendOf, testConfig } from "../../support/run-script.ts";

const one = agentId("agent1");

interface Child {
	readonly inputs: RunInputs;
	readonly subscriber: Subscriber<RunEvent>;
	/** Says the events of these letters. */
	say(letters: string): void;
}

/** Agents whose runs say what a test lets them say, at once. */
function world({ slots = 4 } = {}) {
	const children: Child[] = [];
	const specs: RunSpec[] = [];
	const startRun: StartRun = (spec, inputs) => {
		specs.push(spec);
		return new Observable((subscriber) => {
			const say = (letters: string): void => {
				for (const letter of letters) subscriber.next(runEvents[letter] as RunEvent);
			};
			children.push({ inputs, subscriber, say });
		});
	};
	let ids = 0;
	const agents = createAgents({
		startRun,
		scheduler: new VirtualTimeScheduler(),
		maxConcurrent$: of(slots),
		maxAgents: () => 64,
		maxZombies: () => 8,
		newIds: () => ({ agentId: agentId(`agent${++ids}`), correlationId: toCorrelationId(`c${ids}`) }),
	});
	const child = (index: number): Child => {
		const found = children[index];
		if (!found) throw new Error(`run ${index} has not started`);
		return found;
	};
	return { agents, children, specs, child, record: () => agents.get(one) as TerminalRecord };
}

describe("an agent that there is not", () => {
	it("is named in the refusal, and has no record", () => {
		const { agents } = world();
		expect(() => agents.steer(agentId("nobody"), "x")).toThrow("There is no agent nobody");
		expect(agents.get(agentId("nobody"))).toBeUndefined();
	});
});

describe("a run that is stopped before it has begun", () => {
	it("has no text, and names nothing as unread", () => {
		const { agents, record } = world({ slots: 0 });
		agents.spawn(request({ background: true }));
		const stopping = agents.stop([one], { status: "stopped", reason: "stopped_by_user" }).subscribe({ error: noop });
		expect(record().outcome).toEqual({
			verdict: { status: "stopped", reason: "stopped_by_user" },
			text: "",
			unread: [],
		});
		expect(stopping.closed).toBe(true);
	});

	it("never begins when its call is left while the session of the run before still closes", () => {
		const { agents, child, children, record } = world();
		agents.spawn(request());
		child(0).say("rts");
		agents.resume(one, { prompt: "go on", config: testConfig, background: false });
		const call = agents.foreground(one).subscribe({ error: noop });
		call.unsubscribe();
		child(0).say("c");
		expect([children.length, word(record())]).toEqual([1, "stopped:stopped_by_parent"]);
	});
});

describe("a run that breaks off", () => {
	it("names what it was told and never read, but not what we told it ourselves", () => {
		const { agents, child, record } = world();
		agents.spawn(request({ config: { ...testConfig, limits: { maxTurns: 1, graceTurns: 2 } } }));
		child(0).say("rtn");
		agents.steer(one, "look at the tests too");
		child(0).subscriber.error(new Error("gone"));
		expect(record().outcome).toEqual({
			verdict: { status: "error", reason: "internal" },
			text: "",
			message: "gone",
			unread: ["look at the tests too"],
		});
	});

	it("says why when it has ended without an outcome", () => {
		const { agents, child, record } = world();
		agents.spawn(request());
		child(0).say("rt");
		child(0).subscriber.complete();
		expect(record().outcome.message).toBe("the run ended without an outcome");
	});
});

describe("what a run is told at a soft limit", () => {
	it("waits for its boundary beside what the parent said, and says whose it is", () => {
		const { agents, child } = world();
		agents.spawn(request({ config: { ...testConfig, limits: { maxTurns: 1, graceTurns: 2 } } }));
		child(0).say("r");
		agents.steer(one, "look at the tests too");
		child(0).say("tn");
		const read: unknown[] = [];
		const reading = child(0)
			.inputs.steering.deliver(of("boundary"))
			.subscribe({ next: (batch) => read.push(...batch), error: noop });
		expect(read).toEqual([
			{ text: "look at the tests too", from: "parent" },
			{ text: expect.stringContaining("2 more turns"), from: "limit" },
		]);
		expect(reading.closed).toBe(true);
	});

	it("is said once, and not to a run that is not going on", () => {
		const { agents, child } = world();
		agents.spawn(request({ config: { ...testConfig, limits: { maxTurns: 1, graceTurns: 9 } } }));
		child(0).say("rtl");
		expect(child(0).inputs.steering.drain()).toEqual([]);
		child(0).say("tntn");
		expect(child(0).inputs.steering.drain()).toHaveLength(1);
	});
});

describe("steering", () => {
	it("is held until there is a session, and queued from then on", () => {
		const { agents, child } = world();
		agents.spawn(request());
		expect(agents.steer(one, "early")).toBe("held");
		child(0).say("r");
		expect(agents.steer(one, "later")).toBe("queued");
		child(0).say("s");
		expect(() => agents.steer(one, "late")).toThrow(SteerRefused);
	});
});

describe("what a dying session says", () => {
	it("tells of the later run only when it has cost something", () => {
		const { agents, child } = world();
		agents.spawn(request());
		child(0).say("rts");
		agents.resume(one, { prompt: "go on", config: testConfig, background: true });
		const told: string[] = [];
		const scope = agents.changes$.subscribe({
			next: ({ run, spend }) => told.push(`${run}: ${spend.input}`),
			error: noop,
		});
		child(0).say("d");
		expect(told).toEqual([]);
		child(0).say("m");
		expect(told.sort()).toEqual(["1: 10", "2: 10"]);
		scope.unsubscribe();
	});

	it("is counted once for the run that said it, when no other has come", () => {
		const { agents, child, record } = world();
		agents.spawn(request());
		child(0).say("rtmsm");
		expect(record().spend).toEqual(spendOf(20, 10));
	});
});

describe("a resume", () => {
	it.each([
		["begins with the task of a run that may not have told of it, in its one turn", "rtsc", ["do it"]],
		["begins with nothing else when a second turn was made of it", "rttsc", []],
	] as const)("%s", (_what, letters, unheard) => {
		const { agents, child, specs } = world();
		agents.spawn(request());
		child(0).say(letters);
		agents.resume(one, { prompt: "go on", config: testConfig, background: true });
		expect(specs[0]).not.toHaveProperty("unheard");
		// Without a file there is no conversation to go on with.
		expect(specs[1]).toMatchObject({ prompt: "go on", unheard, mayBegin: true });
	});

	it("may not begin a conversation anew where there is one", () => {
		const { agents, child, specs } = world();
		agents.spawn(request());
		const session = { model: "local/child", thinking: "off", tools: ["read"], sessionFile: "/s.jsonl" } as const;
		child(0).subscriber.next({ type: "session_ready", session });
		child(0).say("tsc");
		agents.resume(one, { prompt: "go on", config: testConfig, background: true });
		expect(specs[1]).toMatchObject({ mayBegin: false });
	});
});

describe("the end of a session", () => {
	it("leaves nothing that goes on: streams complete, and nobody in line starts", () => {
		const { agents, child, children } = world({ slots: 1 });
		const ended: string[] = [];
		const scope = new Subscription();
		scope.add(agents.changes$.subscribe({ complete: () => ended.push("changes"), error: noop }));
		scope.add(agents.publishable$.subscribe({ complete: () => ended.push("publishable"), error: noop }));
		agents.spawn(request({ background: true }));
		scope.add(agents.shutdown().subscribe({ complete: () => ended.push("shutdown"), error: noop }));
		child(0).subscriber.next({
			type: "settled",
			outcome: { ...doneOutcome, verdict: { status: "stopped", reason: "parent_shutdown" } },
		});
		expect(ended).toEqual([]);
		child(0).say("c");
		expect(ended.sort()).toEqual(["changes", "publishable", "shutdown"]);
		expect(children).toHaveLength(1);
		scope.unsubscribe();
	});
});
