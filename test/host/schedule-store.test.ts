import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lastValueFrom } from "rxjs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createScheduleStore } from "../../src/host/schedule-store.ts";
import type { ScheduleEntry, ScheduleId, ToolCallId } from "../../src/streams/index.ts";

type Job = { readonly prompt: string };

let root = "";
let folder = "";
let said: string[] = [];

beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "schedules-"));
	folder = join(root, "session");
	said = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const file = (name = "schedules.json") => join(folder, name);
const isJob = (job: unknown): job is Job => typeof job === "object" && job !== null && "prompt" in job;
const open = (where: string | undefined = folder) =>
	createScheduleStore<Job>({
		folder: where,
		parseJob: (job) => (isJob(job) ? job : undefined),
		notify: (text) => said.push(text),
	});
const load = (repair = true, store = open()) => lastValueFrom(store.load(repair), { defaultValue: undefined });
const save = (entries: readonly ScheduleEntry<Job>[], store = open()) =>
	lastValueFrom(store.save(entries), { defaultValue: undefined });

function entry(id: string, more: Partial<ScheduleEntry<Job>> = {}): ScheduleEntry<Job> {
	return {
		scheduleId: id as ScheduleId,
		text: "0 9 * * *",
		spec: { kind: "cron", pattern: "0 9 * * *", zone: "Europe/Berlin" },
		job: { prompt: "look" },
		description: "a look",
		createdAt: 1_000,
		paused: false,
		fired: 0,
		skipped: 0,
		...more,
	};
}

describe("the file of schedules", () => {
	it("gives back all that was kept, is private, and leaves no draft behind", async () => {
		const entries = [
			entry("s-0001", { next: 2_000, toolCallId: "call-1" as ToolCallId, starting: 1_500 }),
			entry("s-0002", { paused: true, spec: { kind: "every", ms: 60_000, anchor: 5, zone: "UTC" } }),
			entry("s-0003", { spec: { kind: "once", at: 9, zone: "UTC" }, last: { at: 3, started: "agent1" } }),
		];
		await save(entries);
		expect(await load()).toEqual({ entries, damaged: false });
		expect([readdirSync(folder), statSync(file()).mode & 0o777, said]).toEqual([["schedules.json"], 0o600, []]);
	});

	it("is empty while there is none", async () => {
		expect(await load()).toEqual({ entries: [], damaged: false });
	});

	it("cannot be kept where there is no room for it, and then keeps what it had", async () => {
		await save([entry("s-0001")]);
		mkdirSync(`${file()}.${process.pid}.tmp`);
		await expect(save([])).rejects.toThrow();
		expect((await load())?.entries).toHaveLength(1);
	});

	it.each([
		["cut off half-way", (text: string) => text.slice(0, text.length / 2), "damaged", /cut off or damaged/],
		[
			"written by a later version",
			(text: string) => text.replace('"version": 1', '"version": 2'),
			"newer",
			/later version/,
		],
		["something else", () => "[1, 2]", "damaged", /damaged/],
		["null", () => "null", "damaged", /damaged/],
	])("that is %s is kept aside and said, by who has the lease alone", async (_, change, why, words) => {
		await save([entry("s-0001")]);
		const text = change(readFileSync(file(), "utf8"));
		writeFileSync(file(), text);
		expect(await load(false)).toEqual({ entries: [], damaged: true });
		expect([readdirSync(folder), said]).toEqual([["schedules.json"], []]);
		expect(await load()).toEqual({ entries: [], damaged: true });
		expect(said).toHaveLength(1);
		expect(said[0]).toMatch(words);
		expect(said[0]).toContain(`schedules.json.${why}-1`);
		await save([]);
		expect(readFileSync(file(`schedules.json.${why}-1`), "utf8")).toBe(text);
	});

	it("never writes over what was kept aside before", async () => {
		mkdirSync(folder);
		for (const text of ["one", "two"]) {
			writeFileSync(file(), text);
			await load();
		}
		const kept = [1, 2].map((count) => readFileSync(file(`schedules.json.damaged-${count}`), "utf8"));
		expect(kept).toEqual(["one", "two"]);
	});

	it("gives the schedules that are whole, when others are not", async () => {
		const bad: readonly object[] = [
			{ ...entry("s-0002"), scheduleId: "../x" },
			{ ...entry("s-0003"), next: "soon" },
			{ ...entry("s-0004"), next: 1e300 },
			{ ...entry("s-0005"), job: null },
			{ ...entry("s-0006"), spec: { kind: "cron", pattern: "0 9 * * *", zone: "Nowhere/Town" } },
			{ ...entry("s-0007"), spec: { kind: "every", ms: 1, anchor: 0, zone: "UTC" } },
			{ ...entry("s-0008"), fired: -1 },
		];
		mkdirSync(folder);
		writeFileSync(file(), JSON.stringify({ version: 1, schedules: [entry("s-0001"), ...bad, "x", null] }));
		expect(await load()).toEqual({ entries: [entry("s-0001")], damaged: true });
		expect(said).toEqual([expect.stringMatching(/^9 of the 10 schedules of this session cannot be read/)]);
	});
});

describe("schedules without a folder", () => {
	it("are kept in memory, and say that they end with the session", async () => {
		const store = createScheduleStore<Job>({ folder: undefined, parseJob: () => undefined, notify: () => undefined });
		expect(store.sessionOnly).toBe(true);
		await save([entry("s-0001")], store);
		expect(await load(true, store)).toEqual({ entries: [entry("s-0001")], damaged: false });
	});
});
