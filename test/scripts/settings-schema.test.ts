import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { settingsPage, settingsSchema } from "../../scripts/settings-schema.ts";
import { settingKeys } from "../../src/profiles/index.ts";

function read(path: string): Promise<string> {
	return readFile(new URL(`../../${path}`, import.meta.url), "utf8");
}

describe("what is written from the table of settings", () => {
	it("docs/orchestrator.schema.json is up to date: run node scripts/settings-schema.ts", async () => {
		expect(await read("docs/orchestrator.schema.json")).toBe(settingsSchema());
	});

	it("the table in docs/settings.md is up to date: run node scripts/settings-schema.ts", async () => {
		const page = await read("docs/settings.md");
		expect(settingsPage(page)).toBe(page);
	});

	it("the schema has every setting and nothing else", () => {
		const schema = JSON.parse(settingsSchema());
		expect(Object.keys(schema.properties)).toEqual(["$schema", ...settingKeys]);
		expect(schema.additionalProperties).toBe(false);
	});

	it("the schema allows the absence of a limit only where there may be none", () => {
		const { properties } = JSON.parse(settingsSchema());
		expect(properties.maxTurns.anyOf).toEqual([
			{ type: "integer", minimum: 1, maximum: 1_000_000 },
			{ enum: [null, "none"] },
		]);
		expect(properties.maxConcurrent).toMatchObject({ type: "integer", minimum: 1, maximum: 1_000_000, default: 4 });
		expect(properties.idleTimeout.anyOf[0]).toEqual({ type: "number", exclusiveMinimum: 0, maximum: 31_622_400 });
	});

	it("both say which settings are not in effect yet", () => {
		const { properties } = JSON.parse(settingsSchema());
		expect(properties.retentionDays.description).toMatch(/^Not in effect yet: /);
		expect(properties.maxConcurrent.description).not.toContain("in effect");
		const page = settingsPage(
			"<!-- settings table: written by scripts/settings-schema.ts -->\n<!-- end of the settings table -->",
		);
		const row = (key: string) => page.split("\n").find((line) => line.startsWith(`| \`${key}\` |`));
		expect(row("retentionDays")).toContain("| not yet |");
		expect(row("maxConcurrent")).toContain("| yes |");
	});

	it("a page that lost its markers is an error, not a page without a table", () => {
		expect(() => settingsPage("# Settings\n")).toThrow("has lost its markers");
	});
});
