import { type Diagnostic, formatDiagnostic } from "../profiles/index.ts";

/** What is wrong with the files of a session. */
export interface SessionProblems {
	list(): readonly Diagnostic[];
	/**
	 * One text about what has gone wrong since the last asking, for the person; `undefined` when nothing has. What was put
	 * right and goes wrong again is news again.
	 */
	news(): string | undefined;
}

/** `list` is asked each time: files change while a session lasts. */
export function createSessionProblems(list: () => readonly Diagnostic[]): SessionProblems {
	let said: ReadonlySet<string> = new Set();
	return {
		list,
		news: () => {
			const all = list().map(formatDiagnostic);
			const [first, ...more] = all.filter((line) => !said.has(line));
			said = new Set(all);
			if (first === undefined) return undefined;
			if (more.length === 0) return first;
			return `${more.length + 1} problems with agent profiles and settings; /agents doctor lists them. The first: ${first}`;
		},
	};
}
