import { overridableFields, type ProfileField } from "./profile-fields.ts";
import { type ReadValue, readValue } from "./setting-kind.ts";
import { quote } from "./wording.ts";

/** What a profile may be called: one word, which no path and no command line takes for more. */
export const profileName = /^(?!.*\.\.)[A-Za-z0-9][\w.-]{0,63}$/;

/** Names of tools, skills and extensions: words without spaces, patterns or anything that a shell reads. */
const plainName = /^[\w@][\w.:/@-]{0,127}$/;

/** A reference to a tool of an extension, or to all of one. */
const toolReference = /^ext:[\w@][\w.:/@-]{0,127}\/([\w@][\w.:@-]{0,127}|\*)$/i;

/** What else each value must be, beside what its kind says. `undefined`: nothing is wrong with it. */
const checks: Readonly<Record<string, (value: string) => string | undefined>> = {
	name: (value) =>
		profileName.test(value)
			? undefined
			: `"${quote(value)}" is no name for a profile: up to 64 letters, digits, dots, dashes and underscores, the first a letter or digit, and no two dots together`,
	color: (value) =>
		/^([a-z]{1,32}|#[0-9a-f]{6})$/i.test(value) ? undefined : `"${quote(value)}" is no colour: write a word or #rrggbb`,
	model: (value) =>
		/^[^\s\p{Cc}]{1,200}$/u.test(value) ? undefined : `"${quote(value)}" is no name of a model: it has no spaces`,
	tools: toolName,
	disallowed_tools: toolName,
	subagents: otherName,
	partitions: otherName,
	lock: (value) =>
		overridableFields.some((field) => field === value)
			? undefined
			: `"${quote(value)}" cannot be locked; a call can set only: ${overridableFields.join(", ")}`,
};

/** A value from a file as the profile has it; `undefined` where it says what its absence says. */
export function readField(field: ProfileField, value: unknown): ReadValue {
	if (field.kind.type === "names") return readNames(field, field.kind.words, value);
	if (value === "inherit" && (field.key === "model" || field.key === "thinking")) return { ok: true, value: undefined };
	const read = readValue(field, value);
	if (!read.ok || typeof read.value !== "string") return read;
	const problem = checks[field.key]?.(read.value);
	return problem === undefined ? read : { ok: false, problem };
}

/** A list may also be words between commas, as other harnesses write it. `none` is the empty list. */
function readNames(field: ProfileField, words: readonly string[], given: unknown): ReadValue {
	const isWord = typeof given === "string" && words.includes(given.trim());
	const value = typeof given === "string" && !isWord && given.trim() !== "" ? given.split(",") : given;
	const read = readValue(field, typeof value === "string" ? value.trim() : value);
	if (!read.ok) return read;
	if (!Array.isArray(read.value)) return { ok: true, value: wordValue(field, read.value) };
	const names = [...new Set(read.value.map((name: string) => name.trim()))];
	const alone = names.find((name) => words.includes(name));
	if (alone !== undefined) return { ok: false, problem: `"${alone}" must stand alone, not in a list` };
	const check = checks[field.key] ?? plain;
	const problems = names.flatMap((name) => check(name) ?? []);
	return problems.length === 0 ? { ok: true, value: names } : { ok: false, problem: problems.slice(0, 3).join("; ") };
}

function wordValue(field: ProfileField, word: unknown): unknown {
	// Where "none" is a word of its own, it says more than an empty list.
	if (word === "none") return field.key === "extensions" || field.key === "skills" ? "none" : [];
	return word;
}

function otherName(name: string): string | undefined {
	return profileName.test(name) ? undefined : `"${quote(name)}" is no name: it is one word`;
}

function toolName(name: string): string | undefined {
	if (!name.toLowerCase().startsWith("ext:")) return plain(name);
	if (toolReference.test(name)) return undefined;
	return `"${quote(name)}" names no tool: write ext:<extension>/<tool>, or ext:<extension>/* for all that it has`;
}

function plain(name: string): string | undefined {
	return plainName.test(name) ? undefined : `"${quote(name)}" is no name: neither patterns nor spaces are allowed`;
}
