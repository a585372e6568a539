import { listWords, quote } from "./wording.ts";

/** What a setting's value can be. */
export type SettingKind =
	| { readonly type: "integer"; readonly min: number; readonly max: number }
	/** `above`: the bound itself is not allowed. */
	| { readonly type: "number"; readonly min: number; readonly max: number; readonly above?: boolean }
	| { readonly type: "boolean" }
	| { readonly type: "choice"; readonly of: readonly string[] }
	/** One of the words, or a list of names. */
	| { readonly type: "names"; readonly words: readonly string[] }
	| { readonly type: "text" };

/** What `readValue` needs to know of a setting. */
export interface ValueRule {
	readonly kind: SettingKind;
	/** Whether the setting may be absent: then `null` and `"none"` say so. */
	readonly optional: boolean;
}

export type ReadValue =
	| { readonly ok: true; readonly value: unknown }
	| { readonly ok: false; readonly problem: string };

/** A value from a file as the setting's own type; `undefined` stands for an explicit absence. Nothing is coerced. */
export function readValue(rule: ValueRule, value: unknown): ReadValue {
	if (rule.optional && (value === null || value === "none")) return { ok: true, value: undefined };
	if (fits(rule.kind, value)) return { ok: true, value };
	return { ok: false, problem: `${shown(value)} is not allowed: it must be ${allowed(rule)}` };
}

/** What may stand there, in words: `a whole number from 1 to 64`. */
export function allowed(rule: ValueRule): string {
	const words = kindInWords(rule.kind);
	return rule.optional ? `${words}, or null for none` : words;
}

function kindInWords(kind: SettingKind): string {
	switch (kind.type) {
		case "integer":
			return `a whole number from ${kind.min} to ${kind.max}`;
		case "number":
			return kind.above ? `a number above ${kind.min}, up to ${kind.max}` : `a number from ${kind.min} to ${kind.max}`;
		case "boolean":
			return "true or false";
		case "choice":
			return either(kind.of.map(quoted));
		case "names":
			return either([...kind.words.map(quoted), "a list of names"]);
		case "text":
			return "a string that is not blank";
	}
}

function quoted(word: string): string {
	return `"${word}"`;
}

function either(words: readonly string[]): string {
	return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function fits(kind: SettingKind, value: unknown): boolean {
	switch (kind.type) {
		case "integer":
			return Number.isInteger(value) && inBounds(value as number, kind);
		case "number":
			return typeof value === "number" && inBounds(value, kind) && !(kind.above && value === kind.min);
		case "boolean":
			return typeof value === "boolean";
		case "choice":
			return typeof value === "string" && kind.of.includes(value);
		case "names":
			if (typeof value === "string") return kind.words.includes(value);
			return Array.isArray(value) && value.every(isText);
		case "text":
			return isText(value);
	}
}

function inBounds(value: number, bounds: { readonly min: number; readonly max: number }): boolean {
	return value >= bounds.min && value <= bounds.max;
}

function isText(value: unknown): value is string {
	return typeof value === "string" && value.trim() !== "";
}

function shown(value: unknown): string {
	if (Array.isArray(value)) return quote(`[${listWords(value.map((item) => JSON.stringify(item)))}]`);
	// JSON has no word for the numbers that YAML calls .inf and .nan.
	return typeof value === "number" ? String(value) : quote(JSON.stringify(value));
}
