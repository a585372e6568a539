import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { processStart } from "../../src/host/process-start.ts";
import { createSessionLease } from "../../src/host/session-lease.ts";
import { nodeForPi, repositoryRoot } from "../support/pi-cli.ts";

let root = "";
let folder = "";
let children: ChildProcess[] = [];

beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "lease-"));
	folder = join(root, "session");
	children = [];
});
afterEach(() => {
	for (const child of children) child.kill("SIGKILL");
	rmSync(root, { recursive: true, force: true });
});

/** A process that asks for the lease whenever it is told a line, and answers with one. */
function taker() {
	const script = `
		import { createSessionLease } from ${JSON.stringify(join(repositoryRoot, "src/host/session-lease.ts"))};
		import { createInterface } from "node:readline";
		const lease = createSessionLease(${JSON.stringify(folder)});
		console.log("ready");
		for await (const line of createInterface({ input: process.stdin })) {
			if (line === "release") await lease.release();
			console.log(line === "release" ? "released" : JSON.stringify(await lease.acquire()));
		}`;
	const child = spawn(nodeForPi(), ["--input-type=module", "--eval", script], { stdio: ["pipe", "pipe", "inherit"] });
	children.push(child);
	const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
	const line = async () => String((await lines.next()).value);
	const ask = async (word: string) => {
		child.stdin.write(`${word}\n`);
		return line();
	};
	return {
		pid: child.pid ?? 0,
		ready: line(),
		acquire: async () => JSON.parse(await ask("acquire")) as { held: boolean; holder?: string },
		release: () => ask("release"),
		kill: async () => {
			child.kill("SIGKILL");
			await once(child, "exit");
		},
	};
}

describe("the lease of a session", () => {
	it("is had by one of those who ask at once, who the others are told", async () => {
		const takers = Array.from({ length: 5 }, taker);
		await Promise.all(takers.map(({ ready }) => ready));
		const answers = await Promise.all(takers.map(({ acquire }) => acquire()));
		const winner = answers.findIndex(({ held }) => held);
		expect(answers.filter(({ held }) => held)).toHaveLength(1);
		for (const { held, holder } of answers)
			if (!held) expect(holder).toBe(`Another pi (process ${takers[winner]?.pid})`);
		expect(readdirSync(folder)).toEqual(["lease.json"]);
	});

	it("is taken over by one, when its holder was killed, and stays with that one", async () => {
		const first = taker();
		const others = Array.from({ length: 5 }, taker);
		await Promise.all([first, ...others].map(({ ready }) => ready));
		expect(await first.acquire()).toEqual({ held: true });
		expect(await others[0]?.acquire()).toEqual({ held: false, holder: `Another pi (process ${first.pid})` });
		await first.kill();
		const answers = await Promise.all(others.map(({ acquire }) => acquire()));
		expect(answers.filter(({ held }) => held)).toHaveLength(1);
		const again = await Promise.all(others.map(({ acquire }) => acquire()));
		expect(again.map(({ held }) => held)).toEqual(answers.map(({ held }) => held));
		expect(readdirSync(folder)).toEqual(["lease.json"]);
	});

	it("is free at once when it was released", async () => {
		const [first, second] = [createSessionLease(folder), createSessionLease(folder)];
		expect(await first.acquire()).toEqual({ held: true });
		expect(await second.acquire()).toMatchObject({ held: false });
		expect([first.held, second.held, second.holder]).toEqual([true, false, `Another pi (process ${process.pid})`]);
		await second.release();
		expect(await second.acquire()).toMatchObject({ held: false });
		await first.release();
		expect(first.held).toBe(false);
		expect(await second.acquire()).toEqual({ held: true });
	});

	it("is not held by a process that has its holder's id and was started at another time", async () => {
		mkdirSync(folder);
		const other = { version: 1, pid: process.pid, started: "another boot 12345", token: "before" };
		writeFileSync(join(folder, "lease.json"), JSON.stringify(other));
		expect(await createSessionLease(folder).acquire()).toEqual({ held: true });
	});

	it("is held by whoever came after a holder that is gone and before a crash of its own", async () => {
		mkdirSync(folder);
		const gone = { version: 1, pid: 0, started: "", token: "gone" };
		const started = await processStart(process.pid);
		writeFileSync(join(folder, "lease.json"), JSON.stringify(gone));
		writeFileSync(
			join(folder, "lease.json.gone"),
			JSON.stringify({ ...gone, pid: process.pid, started, token: "next" }),
		);
		expect(await createSessionLease(folder).acquire()).toMatchObject({ held: false });
		writeFileSync(join(folder, "lease.json.gone"), JSON.stringify({ ...gone, token: "gone-too" }));
		const lease = createSessionLease(folder);
		expect(await lease.acquire()).toEqual({ held: true });
		expect(readdirSync(folder)).toEqual(["lease.json"]);
		expect(JSON.parse(readFileSync(join(folder, "lease.json"), "utf8"))).toMatchObject({ pid: process.pid, started });
	});

	it("is taken again by its holder when a hand has removed or damaged it", async () => {
		const lease = createSessionLease(folder);
		await lease.acquire();
		rmSync(join(folder, "lease.json"));
		expect(await lease.acquire()).toEqual({ held: true });
		writeFileSync(join(folder, "lease.json"), "{");
		expect(await lease.acquire()).toEqual({ held: true });
		await lease.release();
		expect(readdirSync(folder)).toEqual([]);
	});

	it("is always held where nobody else can know of the session", async () => {
		const lease = createSessionLease(undefined);
		expect([lease.held, await lease.acquire()]).toEqual([true, { held: true }]);
	});

	it("knows no start of a process that is not there", async () => {
		const child = taker();
		await child.ready;
		expect(await processStart(child.pid)).toMatch(/\S/);
		await child.kill();
		expect(await processStart(child.pid)).toBeUndefined();
	});
});
