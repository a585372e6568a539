import type { AgentId } from "../streams/index.ts";
import { type GitCall, git, gitLine, gitMaybe, tryGit } from "./worktree-git.ts";

/** How many names are tried before there is something wrong with more than a name. */
const mostNames = 20;

/** The names for an agent's branches, best first. Made of its id alone, which has no character with a meaning. */
function* branchNames(agentId: AgentId): Generator<string> {
	yield `agent/${agentId}`;
	for (let count = 2; count <= mostNames; count++) yield `agent/${agentId}-${count}`;
	// Where there is a branch called "agent", nothing can be called "agent/…".
	for (let count = 1; count <= mostNames; count++) yield `agent-${agentId}${count === 1 ? "" : `-${count}`}`;
}

const refOf = (branch: string): string => `refs/heads/${branch}`;

/** Makes a branch at `commit` under the first name that is free; two that ask at once get two. */
export async function claimBranch(agentId: AgentId, commit: string, call: GitCall): Promise<string> {
	let said = "";
	for (const branch of branchNames(agentId)) {
		// The empty old value: the name must not be taken. git decides, in one step.
		const made = await tryGit(["update-ref", "-m", "agent: started", refOf(branch), commit, ""], call);
		if (made.code === 0) return branch;
		said = made.stderr.trim();
	}
	throw new Error(`no branch can be made for agent ${agentId}: ${said}`);
}

/** Removes a branch where it still is at `commit`. */
export async function dropBranch(branch: string, commit: string, call: GitCall): Promise<void> {
	await tryGit(["update-ref", "-d", refOf(branch), commit], call);
}

/** The commit of a branch; `undefined` where there is no such branch. */
export function tipOf(branch: string, call: GitCall): Promise<string | undefined> {
	return gitMaybe(["rev-parse", "--verify", "--quiet", `${refOf(branch)}^{commit}`], call);
}

/** Remembers that a branch holds an agent's work, so that the agent goes on there when it is resumed. */
export async function signBranch(branch: string, agentId: AgentId, call: GitCall): Promise<void> {
	// Another git may hold the configuration at this moment; then a resumed agent gets a branch of its own.
	await tryGit(["config", `branch.${branch}.pi-agent`, agentId], call);
}

/** The branch on which an agent has worked before, and which nothing else has checked out. */
export async function earlierBranch(agentId: AgentId, call: GitCall): Promise<string | undefined> {
	for (const branch of branchNames(agentId)) {
		if ((await tipOf(branch, call)) === undefined) continue;
		if ((await gitMaybe(["config", "--get", `branch.${branch}.pi-agent`], call)) === agentId) return branch;
	}
	return undefined;
}

/** What a worktree's work has come to, as commits. */
export interface Work {
	readonly agentId: AgentId;
	/** The branch that was made for it. */
	readonly branch: string;
	/** Where it began. */
	readonly start: string;
	/** The last commit, with everything that had not been committed on top. */
	readonly tip: string;
	/** Whether that commit was made in the worktree, and not merely looked at. */
	readonly tipIsOwn: boolean;
	/** Commits that were made in the worktree and then left by a checkout. */
	readonly leftBehind: readonly string[];
}

/**
 * Sees to it that a branch reaches every commit of the work, and names the branches, the one with the last commit first.
 * The worktree's own branch is only ever moved forward; what does not lie ahead of it gets another.
 */
export async function keepWork(work: Work, call: GitCall): Promise<string[]> {
	const { agentId, branch, start, tip } = work;
	const kept: string[] = [];
	const holder = work.tipIsOwn ? await placeTip(work, call) : undefined;
	if (holder !== undefined) kept.push(holder);
	const own = await tipOf(branch, call);
	if (own !== undefined && own !== start && !kept.includes(branch)) kept.push(branch);
	for (const commit of work.leftBehind) {
		if (commit === tip || (await anyBranchWith(commit, call)) !== undefined) continue;
		kept.push(await claimBranch(agentId, commit, call));
	}
	return kept;
}

/** The branch that reaches the tip when this is over. */
async function placeTip({ agentId, branch, tip }: Work, call: GitCall): Promise<string> {
	const own = await tipOf(branch, call);
	if (own !== undefined && (own === tip || (await isAncestor(tip, own, call)))) return branch;
	const elsewhere = await anyBranchWith(tip, call);
	if (elsewhere !== undefined) return elsewhere;
	if (own === undefined) return claimBranch(agentId, tip, call);
	if (!(await isAncestor(own, tip, call))) return claimBranch(agentId, tip, call);
	await git(["update-ref", "-m", "agent: work kept", refOf(branch), tip, own], call);
	return branch;
}

/** Whether the second commit has the first in its history. */
async function isAncestor(first: string, second: string, call: GitCall): Promise<boolean> {
	return (await gitMaybe(["merge-base", "--is-ancestor", first, second], call)) !== undefined;
}

async function anyBranchWith(commit: string, call: GitCall): Promise<string | undefined> {
	const options = ["--count=1", "--format=%(refname:lstrip=2)", `--contains=${commit}`];
	const name = await gitLine(["for-each-ref", ...options, "refs/heads", "refs/tags"], call);
	return name === "" ? undefined : name;
}
