import { allKeys, matrix } from "./contract.ts";

/** What a title names of the contract. */
export interface References {
	/** Keys of demands, each once. */
	readonly keys: readonly string[];
	/** What looks like a reference and names nothing that there is. */
	readonly unknown: readonly string[];
}

/**
 * Reads the references in a test's title. What counts, anywhere in it:
 *
 * - `invariant 7`, `invariants 7, 8 and 9`, `§15.7`;
 * - `§17 Cancellation: pre-aborted signal, nested abort`: a row of the matrix and cells of it;
 * - `§17.1`, `§17.2`, `§17.3`;
 * - `§18 Result appears twice`: a symptom.
 *
 * Other sections (`§11.2`) are for people, and so is a row of the matrix without a cell.
 */
export function readReferences(title: string): References {
	const named = [...invariants(title), ...cells(title), ...regressions(title), ...symptoms(title)];
	const keys = [...new Set(named)];
	return { keys: keys.filter((key) => allKeys.has(key)), unknown: keys.filter((key) => !allKeys.has(key)) };
}

function invariants(title: string): string[] {
	const lists = [...title.matchAll(/\binvariants? (\d+(?:(?:, | and )\d+)*)/g)].map(([, list = ""]) => list);
	const sections = [...title.matchAll(/§15\.(\d+)/g)].map(([, number = ""]) => number);
	return [...lists.flatMap((list) => list.split(/, | and /)), ...sections].map((number) => `invariant ${number}`);
}

function cells(title: string): string[] {
	const rows = [...title.matchAll(/§17 ([A-Z][a-z]+(?: validation)?)(?:[:,] ([^()§;]*))?/g)];
	return rows.flatMap(([, row = "", list = ""]) => {
		const named = list.split(/, | and /).map((cell) => cell.trim().replace(/\.$/, ""));
		// The list of cells ends where other references begin.
		const others = named.findIndex((cell) => cell === "" || /^(invariants?\b|\d)/.test(cell));
		const wanted = others < 0 ? named : named.slice(0, others);
		if (wanted.length === 0) return matrix.has(row) ? [] : [`§17 ${row}`];
		return wanted.map((cell) => `§17 ${row}: ${cell}`);
	});
}

function regressions(title: string): string[] {
	return [...title.matchAll(/§17\.\d+/g)].map(([section]) => section);
}

function symptoms(title: string): string[] {
	return [...title.matchAll(/§18 ([^,;()§]+)/g)].map(([, symptom = ""]) => `§18 ${symptom.trim()}`);
}
