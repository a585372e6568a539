import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openLedger } from "../../src/host/ledger-file.ts";
import { history } from "../streams/ledger-fixture.ts";

const { opened, started, settled } = history("a1b2");

function usePath(): string {
	const folder = mkdtempSync(join(tmpdir(), "pi-ledger-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return join(folder, "session", "ledger.jsonl");
}

describe("the ledger's file", () => {
	it("is made with the first line, for its owner alone", async () => {
		const path = usePath();
		const ledger = await openLedger(path);
		expect(() => statSync(path)).toThrow("ENOENT");
		await ledger.append(opened);
		expect(statSync(path).mode & 0o777).toBe(0o600);
		expect(statSync(join(path, "..")).mode & 0o777).toBe(0o700);
		await ledger.close();
	});

	it("has every line when it is opened again, in the order in which they were added", async () => {
		const path = usePath();
		const ledger = await openLedger(path);
		await Promise.all([ledger.append(opened), ledger.append(started), ledger.append(settled)]);
		await ledger.close();
		expect((await openLedger(path)).lines).toEqual([opened, started, settled]);
	});

	it("has a line on the disk once its addition has resolved", async () => {
		const path = usePath();
		const ledger = await openLedger(path);
		await ledger.append(opened);
		expect(readFileSync(path, "utf8")).toBe(`${JSON.stringify(opened)}\n`);
		await ledger.close();
	});

	it("writes what was added before it was closed, and refuses what comes after", async () => {
		const path = usePath();
		const ledger = await openLedger(path);
		const written = ledger.append(opened);
		await ledger.close();
		await written;
		await expect(ledger.append(started)).rejects.toThrow("closed");
		expect((await openLedger(path)).lines).toEqual([opened]);
	});

	it("begins a new line behind one that a crash has cut, and loses that one alone", async () => {
		const path = usePath();
		mkdirSync(join(path, ".."));
		writeFileSync(path, `${JSON.stringify(opened)}\n${JSON.stringify(started).slice(0, -7)}`);
		const ledger = await openLedger(path);
		expect(ledger).toMatchObject({ lines: [opened], skipped: { unknown: 0, damaged: 1 } });
		await ledger.append(settled);
		await ledger.close();
		expect((await openLedger(path)).lines).toEqual([opened, settled]);
	});

	it("keeps what a later version has written, and says how much that is", async () => {
		const path = usePath();
		mkdirSync(join(path, ".."));
		const later = JSON.stringify({ v: 2, type: "opened", everything: "else" });
		writeFileSync(path, `${later}\n${JSON.stringify(opened)}\n`);
		const ledger = await openLedger(path);
		expect(ledger).toMatchObject({ lines: [opened], skipped: { unknown: 1, damaged: 0 } });
		await ledger.append(started);
		await ledger.close();
		expect(readFileSync(path, "utf8").split("\n")[0]).toBe(later);
	});

	it("takes the lines of two that have it open at once", async () => {
		const path = usePath();
		const [one, other] = [await openLedger(path), await openLedger(path)];
		await Promise.all([one.append(opened), other.append(started), one.append(settled)]);
		await Promise.all([one.close(), other.close()]);
		const { lines, skipped } = await openLedger(path);
		expect(lines).toHaveLength(3);
		expect(skipped).toEqual({ unknown: 0, damaged: 0 });
	});

	it("is not opened where it cannot be read", async () => {
		const path = usePath();
		// In the way of the folder.
		writeFileSync(join(path, ".."), "");
		const ledger = await openLedger(join(path, "..", "ledger.jsonl")).catch((error: unknown) => error);
		expect(ledger).toMatchObject({ code: "ENOTDIR" });
	});

	it("does not glue a line to the rest of one whose writing has failed", async () => {
		const path = usePath();
		const ledger = await openLedger(path);
		// In the way of the file.
		mkdirSync(path, { recursive: true });
		await expect(ledger.append(opened)).rejects.toMatchObject({ code: "EISDIR" });
		rmSync(path, { recursive: true });
		appendFileSync(path, '{"v":1,"type":"op');
		await ledger.append(started);
		await ledger.close();
		expect((await openLedger(path)).lines).toEqual([started]);
	});

	it("keeps nothing where there is no path", async () => {
		const ledger = await openLedger(undefined);
		await ledger.append(opened);
		expect(ledger.lines).toEqual([]);
		await ledger.close();
	});
});
