import type { LineCounter, Node, Pair, ParsedNode } from "yaml";
import { quote } from "./wording.ts";

/** The parser. It is handed in, because it is loaded only when there is a file to read. */
export type Yaml = typeof import("yaml");

export interface YamlEntry {
	readonly key: string;
	/** Counted from 1, within the text. */
	readonly line: number;
	readonly read: ReadNode;
}

/** A word, a number, a boolean, `null`, or a list of these; or why it is none of them, with its own line. */
export type ReadNode =
	| { readonly ok: true; readonly value: unknown }
	| { readonly ok: false; readonly line: number; readonly problem: string };

export interface YamlProblem {
	readonly line: number;
	readonly key?: string;
	readonly problem: string;
}

export interface YamlEntries {
	readonly entries: readonly YamlEntry[];
	/** Where the text is no YAML at all it is the first reason, and there are no entries. */
	readonly problems: readonly YamlProblem[];
}

/**
 * The keys and values of a flat YAML map, each with its line. References (`&a`, `*a`) and tags are refused, so that what
 * a value is can be seen where it stands, and a short text cannot stand for a long one. Never throws.
 */
export function readYamlEntries(yaml: Yaml, text: string): YamlEntries {
	try {
		return readDocument(yaml, text);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		return noEntries(1, reason);
	}
}

function readDocument(yaml: Yaml, text: string): YamlEntries {
	const lines = new yaml.LineCounter();
	const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, schema: "core" });
	const [error] = [...document.errors, ...document.warnings];
	if (error !== undefined) return noEntries(lineAt(lines, error.pos[0]), error.message);
	const { contents } = document;
	if (contents === null) return { entries: [], problems: [] };
	if (!yaml.isMap(contents)) {
		return {
			entries: [],
			problems: [{ line: lineOf(lines, contents), problem: "the fields must be lines of `key: value`" }],
		};
	}
	const entries: YamlEntry[] = [];
	const problems: YamlProblem[] = [];
	for (const pair of contents.items as Pair<ParsedNode, ParsedNode | null>[]) {
		const line = lineOf(lines, pair.key);
		const key = yaml.isScalar(pair.key) ? String(pair.key.value) : undefined;
		if (key === undefined) {
			problems.push({ line, problem: "a key must be a word" });
			continue;
		}
		if (key === "<<") {
			problems.push({ line, key, problem: "merging other fields in is not allowed: write them out" });
			continue;
		}
		const read = readNode(yaml, pair.value, [pair.key, pair.value]);
		const at = lineOf(lines, pair.value, line);
		entries.push({ key, line, read: read.ok ? read : { ok: false, line: at, problem: read.problem } });
	}
	return { entries, problems };
}

/** What the parser's words for common mistakes do not say. */
const plainWords: readonly (readonly [parser: RegExp, words: string])[] = [
	[/call stack/i, "nested too deeply"],
	[/^nested mappings/i, "a value with a colon and a space in it must stand in quotes"],
	[/multiple documents/i, "a line of ... ends the fields, and more follow it"],
];

function noEntries(line: number, reason: string): YamlEntries {
	const words = plainWords.find(([parser]) => parser.test(reason))?.[1];
	return { entries: [], problems: [{ line, problem: `not YAML (${words ?? quote(reason, 160)})` }] };
}

type Read = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

function readNode(yaml: Yaml, node: unknown, seen: readonly unknown[]): Read {
	if (seen.some((one) => yaml.isAlias(one) || (yaml.isNode(one) && has(one, "anchor")))) {
		return { ok: false, problem: "references (& and *) are not allowed: write the value out" };
	}
	if (seen.some((one) => yaml.isNode(one) && has(one, "tag"))) {
		return { ok: false, problem: "tags (!) are not allowed: write the value as it is" };
	}
	if (node === null) return { ok: true, value: null };
	if (yaml.isScalar(node)) return { ok: true, value: node.value };
	if (!yaml.isSeq(node)) return { ok: false, problem: "a value cannot have fields of its own" };
	const items: unknown[] = [];
	for (const item of node.items) {
		if (yaml.isCollection(item) || yaml.isPair(item)) {
			return { ok: false, problem: "a list may hold only words, and no lists or fields" };
		}
		const read = readNode(yaml, item, [item]);
		if (!read.ok) return read;
		items.push(read.value);
	}
	return { ok: true, value: items };
}

function has(node: Node, mark: "anchor" | "tag"): boolean {
	return mark in node && (node as { anchor?: string; tag?: string })[mark] !== undefined;
}

function lineOf(lines: LineCounter, node: Node | null | undefined, otherwise = 1): number {
	const start = node?.range?.[0];
	return start === undefined ? otherwise : lineAt(lines, start);
}

function lineAt(lines: LineCounter, position: number): number {
	return Math.max(1, lines.linePos(position).line);
}
