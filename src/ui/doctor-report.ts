import { type Diagnostic, formatDiagnostic } from "../profiles/diagnostic.ts";
import { type Profile, usableProfiles } from "../profiles/profile.ts";
import { listWords } from "../profiles/wording.ts";
import { cleanLine } from "./clean-text.ts";

/** What the doctor looks at. */
export interface DoctorFacts {
	readonly profiles: readonly Profile[];
	/** What is wrong with profiles and settings. */
	readonly diagnostics: readonly Diagnostic[];
	/** Tools under our names that another extension has, and its file. */
	readonly conflicts: readonly { readonly tool: string; readonly path: string }[];
	/** Worktrees whose runs are over and that are still there, each in a line with the reason. */
	readonly worktrees?: readonly { readonly path: string; readonly branch: string; readonly reason: string }[];
	readonly projectTrusted: boolean;
	/** The files that a trusted project may have: profiles and settings. */
	readonly projectFiles: string;
	/** `provider/id` of the session; `undefined` while it has none. */
	readonly model: string | undefined;
	readonly host: {
		readonly version: string;
		/** Features that this version lacks, and what is done instead. */
		readonly lacks: readonly string[];
	};
}

/** The answer of `/agents doctor`: what is wrong, what to do about it, and what everything else rests on. */
export function doctorReport(facts: DoctorFacts): { readonly text: string; readonly ok: boolean } {
	const problems = problemsOf(facts);
	const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
	const lines = [
		problems.length === 0 ? "Nothing is wrong." : `${count}:`,
		...problems.map((problem) => `- ${cleanLine(problem, 1_000)}`),
		"",
		`Agent types: ${listWords(usableProfiles(facts.profiles).map(({ name, file }) => `${name} (${file ?? "built-in"})`))}`,
		`Project: ${facts.projectTrusted ? "trusted" : `not trusted, so ${facts.projectFiles} are not read`}`,
		`Pi ${facts.host.version}${facts.host.lacks.length === 0 ? "" : `: ${facts.host.lacks.join("; ")}`}`,
	];
	return { text: lines.join("\n"), ok: problems.length === 0 };
}

function problemsOf({ conflicts, model, diagnostics, worktrees = [] }: DoctorFacts): readonly string[] {
	return [
		...conflicts.map(
			({ tool, path }) => `The tool ${tool} comes from ${path}. Load only one of the two extensions that have it.`,
		),
		...(model === undefined
			? ["This session has no model: choose one with /model, or log in to a provider with /login."]
			: []),
		...diagnostics.map(formatDiagnostic),
		...worktrees.map(
			({ path, branch, reason }) =>
				`A worktree is left at ${path} (branch ${branch}): ${reason}. Commit or copy what you want there, then: git worktree remove <folder>`,
		),
	];
}
