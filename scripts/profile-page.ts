/** Writes the table of fields in docs/profiles.md, from the table that the extension itself reads profiles by. */
import { readFile, writeFile } from "node:fs/promises";
import { type ProfileField, profileFields } from "../src/profiles/profile-fields.ts";
import { allowed, type SettingKind } from "../src/profiles/setting-kind.ts";

const pageFile = new URL("../docs/profiles.md", import.meta.url);
const begin = "<!-- table of fields: written by scripts/profile-page.ts -->";
const end = "<!-- end of the table of fields -->";

/** The page with its table brought up to date. */
export function profilePage(page: string): string {
	const from = page.indexOf(begin);
	const to = page.indexOf(end);
	if (from === -1 || to < from) throw new Error(`docs/profiles.md has lost its markers: "${begin}" … "${end}"`);
	const head = ["field", "allowed", "in effect", "meaning"];
	const rows = profileFields.map((field) => [`\`${field.key}\``, allowed(field), inEffect(field), field.meaning]);
	const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
	const table = [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
	return `${page.slice(0, from)}${begin}\n\n${table}\n\n${page.slice(to)}`;
}

function inEffect(field: ProfileField): string {
	const values = samples(field.kind).map(([words, value]) => ({ words, effect: field.effect(value) }));
	const idle = values.filter(({ effect }) => effect !== "used");
	if (idle.length === 0) return "yes";
	return idle.length === values.length ? "not yet" : `${idle.map(({ words }) => words).join(", ")}: not yet`;
}

/** One value of each form that a field can have, and how the table names it. */
function samples(kind: SettingKind): readonly (readonly [words: string, value: unknown])[] {
	switch (kind.type) {
		case "integer":
		case "number":
			return [["a number", 1]];
		case "boolean":
			return [
				["true", true],
				["false", false],
			];
		case "choice":
			return kind.of.map((word) => [word, word]);
		case "names":
			return [...kind.words.map((word): [string, unknown] => [word, word]), ["a list", ["x"]]];
		case "text":
			return [["a text", "x"]];
	}
}

if (import.meta.main) await writeFile(pageFile, profilePage(await readFile(pageFile, "utf8")));
