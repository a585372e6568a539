import { describe, expect, it } from "vitest";
import { checkRepository, longestFile } from "../../scripts/lib/repository-rules.ts";

/** The rules that one file breaks, as `line rule`. */
function broken(path: string, text: string): string[] {
	return checkRepository([{ path, text }]).map(({ line, rule }) => `${line} ${rule}`);
}

/** A path as it stands on somebody's machine; written in two parts, since this file is checked too. */
function onMachine(folder: string): string {
	return `/${folder}/x`;
}

describe("what a test must not do", () => {
	const violations: readonly (readonly [path: string, text: string, rule: string])[] = [
		["test/ui/a.test.ts", 'it.skip("a", () => {});', "tests/off"],
		["test/ui/a.test.ts", 'test.only("a", () => {});', "tests/off"],
		["test/ui/a.test.ts", 'it.todo("a");', "tests/off"],
		["test/ui/a.test.ts", 'describe.only("a", () => {});', "tests/off"],
		["test/ui/a.test.ts", 'describe.concurrent.skip("a", () => {});', "tests/off"],
		["test/ui/a.test.ts", 'it.skip.each([1])("a", () => {});', "tests/off"],
		["test/ui/a.test.ts", "const off = it.skip;", "tests/off"],
		["test/ui/a.test.ts", 'it("a", (context) => { context.skip(); });', "tests/off"],
		["test/support/a.ts", 'it.only("a", () => {});', "tests/off"],
		["test/host/a.test.ts", 'it("a", { retry: 2 }, () => {});', "tests/retry"],
		["test/host/a.test.ts", 'describe("a", { timeout: 1, retry: 2 }, () => {});', "tests/retry"],
		["vitest.config.ts", "export default defineConfig({ test: { retry: 2 } });", "tests/retry"],
		["test/host/a.test.ts", 'vi.mock("@earendil-works/pi-coding-agent");', "tests/mocked-host"],
		["test/host/deep/a.test.ts", 'vi.doMock("@earendil-works/pi-ai");', "tests/mocked-host"],
		["test/marbles/a.test.ts", "setTimeout(done, 10);", "tests/real-time"],
		["test/marbles/a.test.ts", "globalThis.setTimeout(done, 10);", "tests/real-time"],
		["test/marbles/a.test.ts", "await sleep(10);", "tests/real-time"],
		["test/marbles/a.test.ts", "await delay(10);", "tests/real-time"],
		["test/marbles/a.test.ts", 'import { setTimeout as later } from "node:timers/promises";', "tests/real-time"],
	];

	it.each(violations)("%s: %s breaks %s", (path, text, rule) => {
		expect(broken(path, text)).toEqual([`1 ${rule}`]);
	});

	const allowed: readonly (readonly [path: string, text: string])[] = [
		["test/ui/a.test.ts", 'it.each([1])("a", () => {});'],
		["test/host/a.test.ts", 'it.skipIf(!hasTmux)("a", () => {});'],
		["test/host/a.test.ts", "const settings = { retry: { enabled: false } }; SettingsManager.inMemory({ retry: 1 });"],
		["test/tools/a.test.ts", 'vi.mock("node:fs");'],
		["test/host/a.test.ts", "setTimeout(stop, 10);"],
		["test/marbles/a.test.ts", "cold$.pipe(delay(10));"],
		["test/ui/a.test.ts", 'expect(list.only).toBe("it.only");'],
		["src/ui/a.ts", "it.skip();"],
	];

	it.each(allowed)("%s: %s is allowed", (path, text) => {
		expect(broken(path, text)).toEqual([]);
	});
});

describe("the length of a source file", () => {
	const lines = (count: number) => "const a = 1;\n".repeat(count);

	it(`may be ${longestFile} lines`, () => {
		expect(broken("src/ui/a.ts", lines(longestFile))).toEqual([]);
		expect(broken("src/ui/a.ts", lines(longestFile).trimEnd())).toEqual([]);
	});

	it("may not be one line more", () => {
		expect(broken("src/ui/a.ts", lines(longestFile + 1))).toEqual([`${longestFile + 1} repository/long-file`]);
	});

	it("does not matter elsewhere", () => {
		expect(broken("test/ui/a.test.ts", lines(longestFile + 1))).toEqual([]);
	});
});

describe("a path of one machine", () => {
	it.each(["work", "tmp", "root"])("is found in any file: %s", (folder) => {
		expect(broken("docs/a.md", `first\nsee ${onMachine(folder)}`)).toEqual(["2 repository/machine-path"]);
		expect(broken("src/a/b.ts", `const a = "${onMachine(folder)}";`)).toEqual(["1 repository/machine-path"]);
		expect(broken("a.json", `{"a":"file://${onMachine(folder)}"}`)).toEqual(["1 repository/machine-path"]);
	});

	it.each(["work", "tmp"])("is not a part of another path: %s", (folder) => {
		const path = onMachine(folder);
		expect(broken("docs/a.md", `.${path} ~${path} a${path} https://example.com${path} $` + `{home}${path}`)).toEqual(
			[],
		);
	});
});
