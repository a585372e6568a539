/** Something wrong in a file that was read: enough to find it and to put it right. Never fatal. */
export interface Diagnostic {
	readonly file: string;
	/** From 1, where it is known. */
	readonly line?: number;
	/** The key whose value was ignored, where it is about one. */
	readonly key?: string;
	/** What was wrong, what is allowed, and what happens instead. */
	readonly message: string;
}

/** One line for people: `file:line: key: message`. */
export function formatDiagnostic(diagnostic: Diagnostic): string {
	const place = diagnostic.line === undefined ? diagnostic.file : `${diagnostic.file}:${diagnostic.line}`;
	return [place, ...(diagnostic.key === undefined ? [] : [diagnostic.key]), diagnostic.message].join(": ");
}
