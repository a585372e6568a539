import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	type DeliveredResult,
	type EndedRun,
	type FoldedRun,
	foldLedger,
	type SessionFacts,
} from "../../src/streams/fold-ledger.ts";
import { type AgentId, type RunKey, runKey } from "../../src/streams/ids.ts";
import { type LedgerLine, leftLine } from "../../src/streams/ledger-line.ts";
import { parseLedgerLine } from "../../src/streams/ledger-parse.ts";
import type { Outcome } from "../../src/streams/outcome.ts";
import { done, history, place } from "./ledger-fixture.ts";

const nothing: SessionFacts = { delivered: new Map(), said: new Set() };
const reader = { session: place.session, alive: new Set<string>() };
const fold = (lines: readonly LedgerLine[], facts: SessionFacts = nothing, alive: readonly string[] = []) =>
	foldLedger(lines, facts, { session: place.session, alive: new Set(alive) });
const facts = (by: "published" | "read", ...keys: readonly string[]): SessionFacts => ({
	...nothing,
	delivered: new Map(keys.map((key) => [key as RunKey, { by }])),
});
const only = (runs: readonly FoldedRun[]): EndedRun => {
	const [run] = runs;
	if (run === undefined || run.fate === "owned" || runs.length > 1) throw new Error("not one run that has ended");
	return run;
};
const ended = (verdict: Outcome["verdict"]): Outcome => ({ verdict, text: "", unread: [] });

const a = history("aaaa");
const resumed = history("aaaa", { after: a.record, outcome: done("the second answer") });

describe("the ledger of a session, folded", () => {
	it.each([
		["was written ahead", [a.opened], nothing, "interrupted"],
		["had started", [a.opened, a.started], nothing, "interrupted"],
		["had ended and nobody has its result", [a.opened, a.started, a.settled], nothing, "unpublished"],
		["had ended in line", [a.opened, a.settled], nothing, "unpublished"],
		["was published", [a.opened, a.started, a.settled], facts("published", "aaaa#1"), "published"],
		["was read", [a.opened, a.started, a.settled], facts("read", "aaaa#1"), "read"],
		["was published before its line was written", [a.opened, a.started], facts("published", "aaaa#1"), "published"],
	] as const)("tells of a run that %s", (_what, lines, said, fate) => {
		expect(fold(lines, said).map((run) => run.fate)).toEqual([fate]);
	});

	it("has the record of a run that had ended as it was, but for what the profile tells again", () => {
		const { record } = only(fold([a.opened, a.started, a.settled]));
		expect(record).toEqual({
			...a.record,
			startedAt: a.record.startedAt,
			closed: "verified",
			config: { ...a.record.config, systemPrompt: "" },
		});
	});

	it("knows whose agent it was, over all of its runs, and says nothing of it for the session's own", () => {
		const part = history("part", { parent: "aaaa" });
		const again = history("part", { after: part.record });
		const runs = fold([part.opened, part.settled, again.opened]);
		expect(runs.map((run) => run.fate !== "owned" && run.record.parent)).toEqual(["aaaa", "aaaa"]);
		expect(only(fold([a.opened])).record).not.toHaveProperty("parent");
		expect(parseLedgerLine(JSON.stringify(part.opened))).toEqual(part.opened);
		expect(parseLedgerLine(JSON.stringify({ ...part.opened, parent: "../x" }))).toBe("damaged");
	});

	it("says of an interrupted run whether it had started", () => {
		const message = (lines: readonly LedgerLine[]) => only(fold(lines)).record.outcome;
		const verdict = { status: "error", reason: "interrupted" };
		expect(message([a.opened])).toMatchObject({ verdict, message: "it had not started yet" });
		expect(message([a.opened, a.started])).toMatchObject({ verdict, message: "it was at work" });
	});

	it("takes what the end of its session has stopped for interrupted, and keeps what it came to", () => {
		const stopped = history("aaaa", { outcome: ended({ status: "stopped", reason: "parent_shutdown" }) });
		const run = only(fold([stopped.opened, stopped.started, stopped.settled]));
		expect(run).toMatchObject({ fate: "interrupted", record: { status: "stopped" } });
	});

	it("leaves to a live process what is that process's, and takes over what a dead one has left", () => {
		const lines = [a.opened, a.started];
		expect(fold(lines, nothing, [place.writer])).toEqual([{ fate: "owned", key: "aaaa#1", agentId: "aaaa" }]);
		expect(fold(lines, nothing, ["other"]).map(({ fate }) => fate)).toEqual(["interrupted"]);
		expect(fold([...lines, a.settled], nothing, [place.writer]).map(({ fate }) => fate)).toEqual(["owned"]);
	});

	it("takes over what a live process has left in good order, and nothing of another's", () => {
		const other = history("bbbb", { where: { ...place, writer: "200:7" } });
		const lines = [a.opened, a.settled, other.opened, leftLine(place, 900)];
		expect(fold(lines, nothing, [place.writer, "200:7"]).map(({ fate }) => fate)).toEqual(["unpublished", "owned"]);
	});

	it("adopts nothing of another session, as a copied file would have it", () => {
		expect(foldLedger([a.opened, a.settled], nothing, { ...reader, session: "fork" })).toEqual([]);
	});

	it("keeps an unread result apart from the run that came after it", () => {
		const runs = fold([a.opened, a.started, a.settled, resumed.opened, resumed.started]);
		expect(runs).toMatchObject([
			{ key: "aaaa#1", fate: "unpublished", current: false, record: { outcome: { text: "the answer" } } },
			{ key: "aaaa#2", fate: "interrupted", current: true, record: { run: 2, createdAt: 100 } },
		]);
	});

	it("carries the spend and the session's file into the runs after, as far as the ledger knows them", () => {
		const runs = fold([a.opened, a.started, a.settled, resumed.opened]);
		expect(runs[1]).toMatchObject({ record: { spend: a.record.spend, sessionFile: "aaaa.jsonl" } });
	});

	it("keeps the tasks that the conversation may not have, until a turn has been made of one", () => {
		const never = history("bbbb", { prompt: "first" });
		const second = history("bbbb", { after: never.record, prompt: "second", turns: 2 });
		const third = history("bbbb", { after: second.record, prompt: "third" });
		const unheard = (lines: readonly LedgerLine[]) =>
			fold(lines).map((run) => (run.fate === "owned" ? [] : run.unheard));
		expect(unheard([never.opened, second.opened])).toEqual([["first"], ["first", "second"]]);
		expect(unheard([never.opened, second.opened, second.started, second.settled, third.opened])).toEqual([
			["first"],
			[],
			["third"],
		]);
	});

	it("knows what the session has been told of", () => {
		const said = { ...nothing, said: new Set([runKey("aaaa" as AgentId, 1)]) };
		expect(only(fold([a.opened], said)).said).toBe(true);
		expect(only(fold([a.opened])).said).toBe(false);
	});

	it("takes the session's word for how a run ended that has no line of its end", () => {
		const verdict = { status: "aborted", reason: "turn_limit" } as const;
		const told: SessionFacts = { ...nothing, delivered: new Map([["aaaa#1" as RunKey, { by: "read", verdict }]]) };
		expect(only(fold([a.opened], told)).record.outcome.verdict).toEqual(verdict);
		expect(only(fold([a.opened, a.settled], told)).record.outcome.verdict.reason).toBe("done");
	});

	it("leaves out a run whose opening is not there: nothing is known of it", () => {
		expect(fold([a.started, a.settled])).toEqual([]);
	});

	it("lists agents in the order of their creation", () => {
		const [late, early] = [history("aaaa", { createdAt: 9 }), history("zzzz", { createdAt: 3 })];
		expect(fold([late.opened, early.opened]).map(({ agentId }) => agentId)).toEqual(["zzzz", "aaaa"]);
	});
});

describe("the fold of any ledger", () => {
	const ids = ["aaaa", "bbbb", "cccc"];
	const stories = ids.map((id) => {
		const first = history(id);
		const second = history(id, { after: first.record });
		return [first.opened, first.started, first.settled, second.opened, second.started, second.settled];
	});
	const keys = ids.flatMap((id) => [`${id}#1`, `${id}#2`]) as RunKey[];
	const someLines = fc.array(fc.constantFrom(...stories.flat()), { maxLength: 24 });
	const someFacts = fc.record({ published: fc.subarray(keys), read: fc.subarray(keys), said: fc.subarray(keys) }).map(
		({ published, read, said }): SessionFacts => ({
			delivered: new Map<RunKey, DeliveredResult>([
				...published.map((key) => [key, { by: "published" }] as const),
				...read.map((key) => [key, { by: "read" }] as const),
			]),
			said: new Set(said),
		}),
	);
	const someAlive = fc.subarray([place.writer]);

	it("gives each run that was opened exactly one fate, and never throws", () => {
		fc.assert(
			fc.property(someLines, someFacts, someAlive, (lines, said, alive) => {
				const runs = fold(lines, said, alive);
				const opened = lines.filter(({ type }) => type === "opened").map(({ agent, run }) => runKey(agent, run));
				expect(runs.map(({ key }) => key).sort()).toEqual([...new Set(opened)].sort());
				for (const run of runs) {
					const delivered = said.delivered.get(run.key);
					if (delivered) expect(run.fate).toBe(delivered.by);
					else if (alive.length > 0) expect(run.fate).toBe("owned");
					else expect(["unpublished", "interrupted"]).toContain(run.fate);
				}
				// One record an agent, and it is the newest.
				for (const id of ids) {
					const mine = runs.filter((run): run is EndedRun => run.fate !== "owned" && run.agentId === id);
					expect(mine.filter(({ current }) => current).length).toBeLessThanOrEqual(1);
				}
			}),
		);
	});

	it("is not changed by lines that come twice", () => {
		fc.assert(
			fc.property(someLines, someFacts, (lines, said) => {
				expect(fold([...lines, ...lines], said)).toEqual(fold(lines, said));
			}),
		);
	});

	it("is not changed by the order of lines about different agents", () => {
		fc.assert(
			fc.property(
				fc.tuple(...stories.map((story) => fc.subarray(story))),
				fc.array(fc.nat({ max: 2 }), { minLength: 18, maxLength: 18 }),
				someFacts,
				(parts, picks, said) => {
					const rest = parts.map((part) => [...part]);
					const mixed = picks.flatMap((pick) => rest[pick]?.splice(0, 1) ?? []);
					expect(fold([...mixed, ...rest.flat()], said)).toEqual(fold(parts.flat(), said));
				},
			),
		);
	});

	it("lets a run that is delivered never be published or resumed as interrupted, whatever is written later", () => {
		fc.assert(
			fc.property(someLines, fc.constantFrom(...keys), (lines, key) => {
				const run = fold(lines, facts("published", key)).find((one) => one.key === key);
				if (run) expect(run.fate).toBe("published");
			}),
		);
	});
});
