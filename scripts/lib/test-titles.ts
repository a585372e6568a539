import ts from "typescript";
import { lineOf, parse, walk } from "./imports.ts";
import type { SourceText } from "./violation.ts";

/** A test as its file names it. */
export interface TestTitle {
	/** With the titles of the groups around it. */
	readonly title: string;
	readonly file: string;
	readonly line: number;
}

/**
 * The titles of the tests in a file, read and not run. Of `it.each` with a placeholder in its title there is one title
 * for each row that begins with a text. What a title computes is left out of it.
 */
export function testTitles({ path, text }: SourceText): TestTitle[] {
	const source = parse(path, text);
	const found: TestTitle[] = [];
	walk(source, (node) => {
		const test = ts.isCallExpression(node) ? callOf(node) : undefined;
		if (test === undefined || test.kind === "group") return;
		const around = groupsAround(node).join(" > ");
		for (const title of test.titles) {
			found.push({ title: around === "" ? title : `${around} > ${title}`, file: path, line: lineOf(source, node) });
		}
	});
	return found;
}

const kinds = new Map<string, "test" | "group">([
	["it", "test"],
	["test", "test"],
	["describe", "group"],
	["suite", "group"],
]);

function callOf(
	call: ts.CallExpression,
): { readonly kind: "test" | "group"; readonly titles: readonly string[] } | undefined {
	const kind = kinds.get(rootName(call.expression) ?? "");
	const [first] = call.arguments;
	// `it.each(rows)` and `describe.runIf(condition)` are calls too, without a title.
	if (kind === undefined || first === undefined || !(ts.isStringLiteralLike(first) || ts.isTemplateExpression(first))) {
		return undefined;
	}
	const title = textOf(first);
	const cells = /%[sjo]/.test(title) ? firstCells(call) : [];
	return { kind, titles: cells.length === 0 ? [title] : cells.map((cell) => title.replace(/%[sjo]/, cell)) };
}

function groupsAround(node: ts.Node): string[] {
	const titles: string[] = [];
	for (let around = node.parent; !ts.isSourceFile(around); around = around.parent) {
		const group = ts.isCallExpression(around) ? callOf(around) : undefined;
		if (group?.kind === "group") titles.unshift(group.titles[0] ?? "");
	}
	return titles;
}

/** The first text of each row of an `each`, whether its table is written in place or has a name in the file. */
function firstCells(call: ts.CallExpression): string[] {
	if (!ts.isCallExpression(call.expression)) return [];
	const [table] = call.expression.arguments;
	const rows = table === undefined ? undefined : arrayOf(table);
	return (rows?.elements ?? []).flatMap((row) => {
		const cell = ts.isArrayLiteralExpression(row) ? row.elements[0] : row;
		return cell !== undefined && ts.isStringLiteralLike(cell) ? [cell.text] : [];
	});
}

function arrayOf(table: ts.Expression): ts.ArrayLiteralExpression | undefined {
	if (ts.isArrayLiteralExpression(table)) return table;
	if (ts.isAsExpression(table)) return arrayOf(table.expression);
	if (!ts.isIdentifier(table)) return undefined;
	let found: ts.ArrayLiteralExpression | undefined;
	walk(table.getSourceFile(), (node) => {
		if (!ts.isVariableDeclaration(node) || node.initializer === undefined) return;
		if (ts.isIdentifier(node.name) && node.name.text === table.text) found ??= arrayOf(node.initializer);
	});
	return found;
}

function textOf(title: ts.StringLiteralLike | ts.TemplateExpression): string {
	if (ts.isStringLiteralLike(title)) return title.text;
	return title.head.text + title.templateSpans.map((span) => `…${span.literal.text}`).join("");
}

function rootName(node: ts.Expression): string | undefined {
	if (ts.isIdentifier(node)) return node.text;
	if (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)) return rootName(node.expression);
	return undefined;
}
