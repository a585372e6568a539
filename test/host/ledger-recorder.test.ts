import { Subject } from "rxjs";
import { describe, expect, it } from "vitest";
import type { FullTexts } from "../../src/host/full-texts.ts";
import type { Ledger } from "../../src/host/ledger-file.ts";
import { createLedgerRecorder, type RecorderOptions } from "../../src/host/ledger-recorder.ts";
import type { LedgerLine } from "../../src/streams/index.ts";
import { type AgentRecord, newRecord, type QueuedRecord, type TerminalRecord } from "../../src/streams/record.ts";
import { reduceRecord } from "../../src/streams/reduce-record.ts";
import { createGate } from "../support/gate.ts";
import { agentId, doneOutcome, testConfig } from "../support/run-script.ts";

const queued: QueuedRecord = newRecord(
	{ agentId: agentId("a1b2"), correlationId: "c" as never, description: "d", config: testConfig, background: false },
	1,
);
const running = reduceRecord(queued, { type: "admitted" }, 2);
const ready = reduceRecord(
	running,
	{ type: "session_ready", session: { model: "m/m", thinking: "off", tools: [] } },
	3,
);
const settled = (text: string): TerminalRecord =>
	reduceRecord(ready, { type: "settled", outcome: { ...doneOutcome, text } }, 4) as TerminalRecord;

const noTexts: FullTexts = {
	paths: new Map(),
	save: async ({ agentId: id }) => `/texts/${id}.md`,
	adopt: () => undefined,
	close: async () => undefined,
};

function recording(over: Partial<RecorderOptions> = {}, append?: (line: LedgerLine) => Promise<void>) {
	const lines: LedgerLine[] = [];
	const failures: unknown[] = [];
	const ledger: Ledger = {
		lines: [],
		skipped: { unknown: 0, damaged: 0 },
		written: 0,
		append: append ?? (async (line) => void lines.push(line)),
		close: async () => undefined,
	};
	const recorder = createLedgerRecorder({
		ledger,
		place: { session: "s", writer: "w" },
		texts: noTexts,
		keepsTexts: true,
		now: () => 9,
		onFailure: (error) => void failures.push(error),
		...over,
	});
	const changes$ = new Subject<AgentRecord>();
	recorder.follow(changes$);
	return { recorder, changes$, lines, failures };
}

const kinds = (lines: readonly LedgerLine[]): string[] => lines.map(({ type }) => type);

describe("what is written of a run", () => {
	it("is a line when it is opened, one when its session exists, and one at its end, each once", async () => {
		const { recorder, changes$, lines } = recording();
		void recorder.open(queued, "the task", undefined);
		const end = settled("short");
		for (const record of [queued, running, ready, ready, end, { ...end, closed: "verified" as const }])
			changes$.next(record);
		await recorder.recorded();
		expect(kinds(lines)).toEqual(["opened", "started", "settled"]);
		expect(lines[2]).toMatchObject({ text: "short", at: 4 });
	});

	it("is the end alone of one that never left the line", async () => {
		const { recorder, changes$, lines } = recording();
		void recorder.open(queued, "the task", undefined);
		const request = { status: "stopped", reason: "stopped_by_user" } as const;
		changes$.next(reduceRecord(queued, { type: "settled", outcome: { verdict: request, text: "", unread: [] } }, 4));
		await recorder.recorded();
		expect(kinds(lines)).toEqual(["opened", "settled"]);
	});

	it("names the file of a long text once that is saved, and has the text where it cannot be", async () => {
		const gate = createGate<string | undefined>();
		const { recorder, changes$, lines } = recording({ texts: { ...noTexts, save: () => gate.opened } });
		void recorder.open(queued, "the task", undefined);
		changes$.next(settled("x".repeat(1_000)));
		const recorded = recorder.recorded();
		await Promise.resolve();
		expect(kinds(lines)).toEqual(["opened"]);
		gate.open(undefined);
		await recorded;
		expect(lines[1]).toMatchObject({ text: "x".repeat(1_000) });
	});

	it("is not begun again by runs that it has not seen opened", async () => {
		const { recorder, changes$, lines } = recording();
		changes$.next(settled("of an earlier life"));
		await recorder.recorded();
		expect(lines).toEqual([]);
		expect(recorder.used).toBe(false);
	});
});

describe("a line that cannot be written", () => {
	const full = new Error("ENOSPC: the disk is full");

	it("ahead of a run is that run's failure to start", async () => {
		const { recorder, failures } = recording({}, () => Promise.reject(full));
		const failed = new Promise((error) => recorder.open(queued, "the task", undefined).subscribe({ error }));
		expect(await failed).toMatchObject({ name: "LedgerFailure", message: expect.stringContaining("the disk is full") });
		await recorder.recorded();
		expect(failures).toEqual([]);
	});

	it("later is told once, and holds nobody up", async () => {
		let writable = true;
		const { recorder, changes$, failures } = recording({}, () => (writable ? Promise.resolve() : Promise.reject(full)));
		void recorder.open(queued, "the task", undefined);
		writable = false;
		changes$.next(ready);
		changes$.next(settled("short"));
		await recorder.recorded();
		expect(failures).toEqual([full]);
	});

	it("is waited for by whoever wants to know that all is written", async () => {
		const gate = createGate<void>();
		const { recorder } = recording({}, () => gate.opened);
		void recorder.open(queued, "the task", undefined);
		let done = false;
		const recorded = recorder.recorded().then(() => {
			done = true;
		});
		await Promise.resolve();
		expect(done).toBe(false);
		gate.open();
		await recorded;
	});
});
