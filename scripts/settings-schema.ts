/**
 * Writes what people and editors read about settings, from the table that the extension itself reads them by:
 * docs/orchestrator.schema.json, and the tables between the markers in docs/settings.md.
 */
import { readFile, writeFile } from "node:fs/promises";
import { allowed, type SettingKind } from "../src/profiles/setting-kind.ts";
import { type SettingRule, settingKeys, settingRules } from "../src/profiles/setting-rules.ts";
import type { ProjectRule } from "../src/profiles/tightening.ts";

const schemaFile = new URL("../docs/orchestrator.schema.json", import.meta.url);
const pageFile = new URL("../docs/settings.md", import.meta.url);
const begin = "<!-- settings table: written by scripts/settings-schema.ts -->";
const end = "<!-- end of the settings table -->";

const projectRules: { readonly [R in ProjectRule]: string } = {
	lower: "lower only",
	off: "switch off only",
	gates: "add only",
	free: "free",
	user: "no",
};

const rules: readonly SettingRule[] = settingKeys.map((key) => settingRules[key]);

/** The JSON schema of a settings file, as text. */
export function settingsSchema(): string {
	const properties = Object.fromEntries(rules.map((rule) => [rule.key, propertySchema(rule)]));
	const schema = {
		$schema: "http://json-schema.org/draft-07/schema#",
		title: "pi-rx-orchestrator settings",
		type: "object",
		properties: { $schema: { type: "string" }, ...properties },
		additionalProperties: false,
	};
	// Short lists on one line, as the formatter has them: what is written passes the check as it is.
	const text = JSON.stringify(schema, null, "\t").replace(/\[\s+([^[\]{}]*?)\s+\]/g, (_, items: string) => {
		return `[${items.replace(/,\s+/g, ", ")}]`;
	});
	return `${text}\n`;
}

/** The page with its table brought up to date. */
export function settingsPage(page: string): string {
	const from = page.indexOf(begin);
	const to = page.indexOf(end);
	if (from === -1 || to < from) throw new Error(`docs/settings.md has lost its markers: "${begin}" … "${end}"`);
	return `${page.slice(0, from)}${begin}\n\n${settingsTable()}\n\n${page.slice(to)}`;
}

function propertySchema(rule: SettingRule): object {
	const value = kindSchema(rule.kind);
	return {
		description: description(rule),
		...(rule.optional ? { anyOf: [value, { enum: [null, "none"] }] } : value),
		...(rule.default === undefined ? {} : { default: rule.default }),
	};
}

function description({ inEffect, meaning, unit }: SettingRule): string {
	const said = unit === undefined ? meaning : `${meaning} In ${unit}.`;
	return inEffect === false ? `Not in effect yet: it limits and changes nothing. ${said}` : said;
}

function kindSchema(kind: SettingKind): object {
	switch (kind.type) {
		case "integer":
			return { type: "integer", minimum: kind.min, maximum: kind.max };
		case "number":
			return { type: "number", [kind.above ? "exclusiveMinimum" : "minimum"]: kind.min, maximum: kind.max };
		case "boolean":
			return { type: "boolean" };
		case "choice":
			return { enum: kind.of };
		case "names":
			return { anyOf: [{ enum: kind.words }, { type: "array", items: { type: "string", pattern: "\\S" } }] };
		case "text":
			return { type: "string", pattern: "\\S" };
	}
}

function settingsTable(): string {
	const head = ["setting", "default", "unit", "allowed", "a project may", "in effect", "meaning"];
	const rows = rules.map((rule) => [
		`\`${rule.key}\``,
		rule.default === undefined ? "none" : `\`${JSON.stringify(rule.default)}\``,
		rule.unit ?? "",
		allowed(rule),
		projectRules[rule.project],
		rule.inEffect === false ? "not yet" : "yes",
		rule.meaning,
	]);
	const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |");
	return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Brings both files up to date. */
export async function writeSettingsFiles(): Promise<void> {
	await writeFile(schemaFile, settingsSchema());
	await writeFile(pageFile, settingsPage(await readFile(pageFile, "utf8")));
}

if (import.meta.main) await writeSettingsFiles();
