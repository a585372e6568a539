import { describe, expect, it } from "vitest";
import { checkLayers } from "../../scripts/lib/layer-rules.ts";

/** The rules that one file breaks, as `line rule`. */
function broken(path: string, text: string): string[] {
	return checkLayers([{ path, text }]).map(({ line, rule }) => `${line} ${rule}`);
}

describe("what the layers forbid", () => {
	const violations: readonly (readonly [path: string, text: string, rule: string])[] = [
		// Arrows, by value and by type alike.
		["src/operators/a.ts", 'import { b } from "../streams/b.ts";', "layers/arrow"],
		["src/operators/a.ts", 'import type { B } from "../streams/b.ts";', "layers/arrow"],
		["src/streams/a.ts", 'import { b } from "../host/b.ts";', "layers/arrow"],
		["src/streams/a.ts", 'export { b } from "../tools/b.ts";', "layers/arrow"],
		["src/streams/a.ts", 'export * from "../profiles/b.ts";', "layers/arrow"],
		["src/streams/a.ts", 'type B = import("../ui/b.ts").B;', "layers/arrow"],
		["src/streams/a.ts", 'const b = await import("../host/b.ts");', "layers/arrow"],
		["src/streams/deep/a.ts", 'import { b } from "../../host/b.ts";', "layers/arrow"],
		["src/streams/a.ts", 'import { b } from "../index.ts";', "layers/arrow"],
		["src/tools/a.ts", 'import { b } from "../host/b.ts";', "layers/arrow"],
		["src/tools/a.ts", 'import { b } from "../ui/b.ts";', "layers/arrow"],
		["src/ui/a.ts", 'import type { B } from "../host/b.ts";', "layers/arrow"],
		["src/ui/a.ts", 'import { b } from "../tools/b.ts";', "layers/arrow"],
		["src/profiles/a.ts", 'import { b } from "../tools/b.ts";', "layers/arrow"],
		["src/profiles/a.ts", 'import { b } from "../host/b.ts";', "layers/arrow"],
		["src/host/a.ts", 'import { b } from "../index.ts";', "layers/arrow"],
		// Out of src, or into no layer.
		["src/host/a.ts", 'import { b } from "../../test/b.ts";', "layers/outside"],
		["src/host/a.ts", 'import data from "../../package.json";', "layers/outside"],
		["src/util/a.ts", "export const a = 1;", "layers/unknown"],
		["src/a.ts", "export const a = 1;", "layers/unknown"],
		["src/host/a.ts", "const b = await import(name);", "layers/computed"],
		// RxJS from its root, and nothing else in operators.
		["src/operators/a.ts", 'import { TestScheduler } from "rxjs/testing";', "layers/rxjs-root"],
		["src/host/a.ts", 'import { map } from "rxjs/operators";', "layers/rxjs-root"],
		["src/operators/a.ts", 'import { parse } from "yaml";', "layers/operators"],
		["src/operators/a.ts", 'import type { Model } from "@earendil-works/pi-ai";', "layers/operators"],
		["src/operators/a.ts", 'import { readFileSync } from "node:fs";', "layers/operators"],
		// Pi at run time.
		["src/streams/a.ts", 'import { x } from "@earendil-works/pi-ai";', "layers/pi"],
		["src/streams/a.ts", 'import { type X } from "@earendil-works/pi-ai";', "layers/pi"],
		["src/tools/a.ts", 'import "@earendil-works/pi-coding-agent";', "layers/pi"],
		["src/tools/a.ts", 'export { x } from "@earendil-works/pi-coding-agent";', "layers/pi"],
		["src/profiles/a.ts", 'const pi = await import("@earendil-works/pi-ai/compat");', "layers/pi"],
		["src/profiles/a.ts", 'const pi = require("@earendil-works/pi-ai");', "layers/pi"],
		// Node.
		["src/streams/a.ts", 'import { readFileSync } from "node:fs";', "layers/node"],
		["src/tools/a.ts", 'import path from "path";', "layers/node"],
		["src/profiles/a.ts", 'import { readFile } from "fs/promises";', "layers/node"],
		["src/ui/a.ts", 'const fs = await import("node:fs");', "layers/node"],
		["src/index.ts", 'import { join } from "node:path";', "layers/node"],
		// The clock and chance.
		["src/operators/a.ts", "const now = Date.now();", "layers/clock"],
		["src/streams/a.ts", "const now = new Date();", "layers/clock"],
		["src/streams/a.ts", "const now = new Date;", "layers/clock"],
		["src/streams/a.ts", "const now = Date();", "layers/clock"],
		["src/streams/a.ts", "const read = Date.now;", "layers/clock"],
		["src/streams/a.ts", "const now = globalThis.Date.now();", "layers/clock"],
		["src/tools/a.ts", "const now = performance.now();", "layers/clock"],
		["src/tools/a.ts", "const id = Math.random();", "layers/clock"],
		["src/streams/a.ts", "const id = crypto.randomUUID();", "layers/clock"],
	];

	it.each(violations)("%s: %s breaks %s", (path, text, rule) => {
		expect(broken(path, text)).toEqual([`1 ${rule}`]);
	});
});

describe("what the layers allow", () => {
	const allowed: readonly (readonly [path: string, text: string])[] = [
		["src/operators/a.ts", 'import { map } from "rxjs"; import { b } from "./b.ts";'],
		["src/streams/a.ts", 'import { b } from "../operators/b.ts"; import type { Model } from "@earendil-works/pi-ai";'],
		["src/streams/a.ts", 'type Model = import("@earendil-works/pi-ai").Model;'],
		["src/profiles/a.ts", 'import { b } from "../streams/b.ts"; export type { Model } from "@earendil-works/pi-ai";'],
		["src/profiles/a.ts", 'import { parse } from "yaml"; const later = await import("croner");'],
		["src/tools/a.ts", 'import { b } from "../profiles/b.ts"; import { Type } from "@sinclair/typebox";'],
		["src/ui/a.ts", 'import { b } from "../profiles/b.ts"; import { Text } from "@earendil-works/pi-tui";'],
		["src/host/a.ts", 'import { b } from "../profiles/b.ts"; import { readFile } from "node:fs/promises";'],
		["src/host/a.ts", 'import { b } from "../tools/b.ts"; import { c } from "../ui/c.ts";'],
		["src/host/a.ts", 'import { createAgentSession } from "@earendil-works/pi-coding-agent"; const now = Date.now();'],
		[
			"src/index.ts",
			'import { a } from "./host/a.ts"; import { b } from "./tools/b.ts"; import { c } from "./ui/c.ts";',
		],
		["src/index.ts", 'import { VERSION } from "@earendil-works/pi-coding-agent";'],
		["src/tools/a.ts", "const iso = new Date(record.endedAt).toISOString();"],
		["src/streams/a.ts", "const now = scheduler.now(); const most = Math.max(1, 2);"],
		["src/streams/a.ts", '// import { x } from "node:fs"; Date.now()\nconst text = "Date.now()";'],
		["test/marbles/a.test.ts", 'import { readFileSync } from "node:fs";'],
	];

	it.each(allowed)("%s: %s", (path, text) => {
		expect(broken(path, text)).toEqual([]);
	});
});

it("names the line of each violation, in the order of the file", () => {
	const text = ["", "const a = Date.now();", 'import fs from "node:fs";', "", "const b = Math.random();"].join("\n");

	expect(broken("src/streams/a.ts", text)).toEqual(["2 layers/clock", "3 layers/node", "5 layers/clock"]);
});

it("says what to do instead", () => {
	const [violation] = checkLayers([{ path: "src/tools/a.ts", text: 'import { b } from "../host/b.ts";' }]);

	expect(violation?.advice).toBe(
		"tools may import operators, streams, profiles, not host; pass it in from index.ts, or move the shared part down",
	);
});
