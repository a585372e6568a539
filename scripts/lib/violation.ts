/** A rule that a file breaks, where, and what to do about it. */
export interface Violation {
	/** Relative to the repository, with forward slashes. */
	readonly file: string;
	/** Counted from 1. */
	readonly line: number;
	readonly rule: string;
	readonly advice: string;
}

/** A file as the checks see it: they read no disk themselves, so that a test can hand them any text. */
export interface SourceText {
	/** Relative to the repository, with forward slashes. */
	readonly path: string;
	readonly text: string;
}

/** Prints the violations, one a line, and sets the exit code. */
export function report(check: string, violations: readonly Violation[], checked: number): void {
	for (const { file, line, rule, advice } of violations) console.error(`${file}:${line} ${rule}: ${advice}`);
	const found = violations.length === 0 ? "all is well" : `${violations.length} violations`;
	console.log(`${check}: ${checked} files, ${found}`);
	if (violations.length > 0) process.exitCode = 1;
}
