import { homedir } from "node:os";
import { oneLine } from "../streams/plain-text.ts";
import type { RunSpec } from "../streams/ports.ts";
import type { ChildEnvironment } from "./child-environment.ts";
import type { ChildResources } from "./child-resources.ts";
import { openWorktree } from "./worktree-open.ts";
import { movePaths } from "./worktree-paths.ts";
import { worktreeBrief, worktreeNotes } from "./worktree-report.ts";
import { noWorktree } from "./worktree-repository.ts";
import type { WriteBounds } from "./worktree-tools.ts";

/** Where a run takes place. */
export interface RunPlace {
	readonly env: ChildEnvironment;
	readonly prompt: string;
	/** Set where the run has a worktree of its own. */
	readonly worktree?: RunWorktree;
}

export interface RunWorktree extends WriteBounds {
	/** The parent's resources, with its context files called by their paths in the worktree. */
	resourcesThere(resources: ChildResources): ChildResources;
	/** Saves what was done in it and removes it, once nothing works there any more. What is to be said of it. Never rejects. */
	close(): Promise<readonly string[]>;
	/** What is to be said of it while it cannot be closed. */
	readonly unfinished: readonly string[];
}

/**
 * The parent's own folder, or a worktree where the configuration asks for one. Rejects with a `StartupFailure` where there
 * can be none, and with the signal's reason when that aborts; nothing is left then.
 */
export async function openRunPlace(env: ChildEnvironment, spec: RunSpec, signal: AbortSignal): Promise<RunPlace> {
	const { agentId, run, prompt } = spec;
	if (spec.config.isolation === undefined) return { env, prompt };
	// What git runs (filters, for one) is the repository's own choice.
	if (!env.projectTrusted) throw noWorktree("the project is not trusted, and git runs what its configuration says");
	const { cwd, agentDir, worktreeSetup: setup } = env;
	const tree = await openWorktree({ cwd, agentDir, agentId, run, setup, signal });
	const move = (text: string): string => movePaths(text, { from: tree.sources, to: tree.path, home: homedir() });
	return {
		env: { ...env, cwd: tree.cwd, parentCwd: cwd },
		prompt: `${move(prompt)}\n\n${worktreeBrief(tree)}`,
		worktree: {
			root: tree.path,
			cwd: tree.cwd,
			resourcesThere: (resources) => ({
				...resources,
				agentsFiles: resources.agentsFiles.map((file) => ({ ...file, path: move(file.path) })),
			}),
			close: async () => worktreeNotes(await tree.close(commitMessage(spec))),
			unfinished: [
				`Its worktree is still at ${tree.path}; once the session has come to rest, its work is on the branch ${tree.branch}.`,
			],
		},
	};
}

function commitMessage({ agentId, run, config }: RunSpec): string {
	return oneLine(`Work of agent ${agentId}${run === 1 ? "" : ` (run ${run})`}, ${config.subagentType}`, 120);
}
