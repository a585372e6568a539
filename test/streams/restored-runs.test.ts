import { asyncScheduler, firstValueFrom, NEVER, Observable, of, Subject } from "rxjs";
import { describe, expect, it } from "vitest";
import { type AgentId, toCorrelationId } from "../../src/streams/ids.ts";
import {
	type AgentsOptions,
	createAgents,
	createOutbox,
	type Note,
	type Publishable,
	type RunSpec,
	type TerminalRecord,
} from "../../src/streams/index.ts";
import { restoreLife } from "../../src/streams/restored-groups.ts";
import type { RestoredRun } from "../../src/streams/restored-run.ts";
import { LedgerFailure } from "../../src/streams/run-ledger.ts";
import { done, history } from "./ledger-fixture.ts";

const id = "aaaa" as AgentId;
const { record } = history("aaaa");
const interrupted: TerminalRecord = {
	...record,
	status: "error",
	outcome: { verdict: { status: "error", reason: "interrupted" }, text: "half of", unread: [] },
};

function restored(over: Partial<RestoredRun> = {}): RestoredRun {
	return { record, ownership: "held", publish: true, current: true, unheard: [], ...over };
}

function agentsWith({
	restored = [],
	...options
}: Partial<Omit<AgentsOptions, "restored">> & { readonly restored?: readonly RestoredRun[] }) {
	const specs: RunSpec[] = [];
	const agents = createAgents({
		startRun: (spec) => {
			specs.push(spec);
			return NEVER;
		},
		maxConcurrent$: of(1),
		maxAgents: () => 8,
		maxZombies: () => 1,
		newIds: () => ({ agentId: "nnnn" as AgentId, correlationId: toCorrelationId("c") }),
		scheduler: asyncScheduler,
		restored: restoreLife(restored).runs,
		...options,
	});
	return { agents, specs };
}

const first = <T>(values$: Observable<T>): Promise<T | undefined> =>
	firstValueFrom(values$, { defaultValue: undefined });
const nobody = { error: () => undefined };
const by = { prompt: "go on", config: record.config, background: false };

describe("a run of an earlier life of the session", () => {
	it("is listed, read and waited for like any other that has ended", async () => {
		const { agents } = agentsWith({ restored: [restored()] });
		expect(agents.list()).toEqual([record]);
		expect(agents.get(id)).toBe(record);
		expect(await first(agents.claim(id))).toEqual({ record, published: false });
		expect(await first(agents.completion(id))).toBe(record);
		expect(await first(agents.watch(id))).toBe(record);
		expect(() => agents.steer(id, "x")).toThrow("only a running agent");
	});

	it.each([
		["held", false, "held"],
		["read", false, "delivered"],
		["published", true, "committed"],
	] as const)("that is %s tells a reader whether it was published", async (ownership, published, state) => {
		const publishables: Publishable[] = [];
		const { agents } = agentsWith({ restored: [restored({ ownership })] });
		agents.publishable$.subscribe({ next: (one) => publishables.push(one), error: nobody.error }).unsubscribe();
		expect(publishables[0]?.claim.state.kind).toBe(state);
		expect(await first(agents.claim(id))).toEqual({ record, published });
	});

	it("is published once, unless it is not to be", () => {
		const notes: (readonly string[])[] = [];
		const compose = (records: readonly TerminalRecord[]): Note => ({
			text: "",
			deliveries: [],
			details: { delivery: [], agents: records.map(({ agentId }) => ({ agentId, status: "", description: "" })) },
		});
		const other = history("bbbb").record;
		const { agents } = agentsWith({ restored: [restored(), restored({ record: other, publish: false })] });
		const outbox = createOutbox({
			publishable$: agents.publishable$,
			activity$: of("muted"),
			port: { wake: () => false, committed: () => new Set(["aaaa#1"]) as never, notify: () => undefined },
			compose,
			scheduler: asyncScheduler,
		});
		for (let time = 0; time < 2; time++) {
			const note = outbox.take("prompt");
			if (note) notes.push(note.details.agents.map(({ agentId }) => agentId));
			outbox.reconcile("past_start");
		}
		expect(notes).toEqual([["aaaa"]]);
		expect(outbox.keys).toEqual([]);
	});

	it("leaves a result in line when its agent has gone on since", async () => {
		const second = history("aaaa", { after: record, outcome: done("the second") }).record;
		const { agents } = agentsWith({
			restored: [restored({ current: false }), restored({ record: second, ownership: "read", publish: false })],
		});
		expect(agents.list()).toEqual([second]);
		expect((await first(agents.publishable$))?.key).toBe("aaaa#1");
	});

	it("is resumed under its id, with what its conversation may not have", () => {
		const { agents, specs } = agentsWith({
			restored: [restored({ record: interrupted, publish: false, unheard: ["the task"] })],
		});
		const next = agents.resume(id, by);
		expect(next).toMatchObject({ agentId: id, correlationId: record.correlationId, run: 2, spend: record.spend });
		expect(specs).toMatchObject([{ run: 2, prompt: "go on", unheard: ["the task"] }]);
	});

	it("counts as none that lives, and as no session that has not come to rest", () => {
		const many = Array.from({ length: 9 }, (_, index) =>
			restored({ record: { ...record, agentId: `a00${index}` as AgentId } }),
		);
		const { agents } = agentsWith({ restored: many });
		expect(agents.spawn({ ...by, description: "d" }).status).toBe("running");
	});

	it("is not stopped again, nor does it hold up the end of the session", async () => {
		const { agents } = agentsWith({ restored: [restored()] });
		expect(await first(agents.stop([id], { status: "stopped", reason: "stopped_by_user" }))).toMatchObject({
			result: "not_live",
		});
		expect(await first(agents.shutdown())).toBeUndefined();
	});
});

describe("the writing-ahead of a run", () => {
	it("comes before its session, and after its record", () => {
		const written$ = new Subject<never>();
		const opened: string[] = [];
		const { agents, specs } = agentsWith({
			ledger: {
				open: (queued, prompt, group) => {
					opened.push(`${queued.agentId}#${queued.run} ${prompt} ${group?.member}`);
					return written$;
				},
			},
		});
		expect(agents.spawn({ ...by, description: "d" }).status).toBe("queued");
		expect(opened).toEqual(["nnnn#1 go on undefined"]);
		expect(specs).toEqual([]);
		written$.complete();
		expect(agents.get("nnnn" as AgentId)?.status).toBe("running");
		expect(specs).toHaveLength(1);
	});

	it("is done for one that only stands in line", () => {
		const opened: string[] = [];
		let ids = 0;
		const { agents } = agentsWith({
			newIds: () => ({ agentId: `n00${++ids}` as AgentId, correlationId: toCorrelationId("c") }),
			ledger: {
				open: ({ agentId }) => {
					opened.push(agentId);
					return new Observable((subscriber) => subscriber.complete());
				},
			},
		});
		for (let count = 0; count < 3; count++) agents.spawn({ ...by, background: true, description: "d" });
		expect(agents.list().map(({ status }) => status)).toEqual(["running", "queued", "queued"]);
		expect(opened).toEqual(["n001", "n002", "n003"]);
	});

	it("fails the run's start when it fails, and no session is made", () => {
		const { agents, specs } = agentsWith({
			ledger: {
				open: () => new Observable((subscriber) => subscriber.error(new LedgerFailure("the disk is full"))),
			},
		});
		expect(agents.spawn({ ...by, description: "d" })).toMatchObject({
			status: "error",
			closed: "verified",
			outcome: { verdict: { status: "error", reason: "startup_failure" }, message: "the disk is full" },
		});
		expect(specs).toEqual([]);
	});

	it("is waited for no longer by one that is stopped meanwhile", () => {
		const written$ = new Subject<never>();
		const { agents, specs } = agentsWith({ ledger: { open: () => written$ } });
		agents.spawn({ ...by, background: true, description: "d" });
		agents
			.stop(["nnnn" as AgentId], { status: "stopped", reason: "stopped_by_user" })
			.subscribe(nobody)
			.unsubscribe();
		written$.complete();
		expect(agents.get("nnnn" as AgentId)?.status).toBe("stopped");
		expect(specs).toEqual([]);
	});

	it("is not repeated in the task of a resume that has heard it, and is in that of one that has not", () => {
		let ids = 0;
		const { agents, specs } = agentsWith({
			newIds: () => ({ agentId: `n00${++ids}` as AgentId, correlationId: toCorrelationId("c") }),
		});
		agents.spawn({ ...by, prompt: "at work", background: true, description: "d" });
		agents.spawn({ ...by, prompt: "in line", background: true, description: "d" });
		const second = "n002" as AgentId;
		agents.stop([second], { status: "stopped", reason: "stopped_by_user" }).subscribe(nobody).unsubscribe();
		agents.resume(second, by);
		expect(specs.at(-1)).toMatchObject({ agentId: second, run: 2, prompt: "go on", unheard: ["in line"] });
	});
});
