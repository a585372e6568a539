import { type ExtensionAPI, type ExtensionContext, getAgentDir, VERSION } from "@earendil-works/pi-coding-agent";
import { projectSettingsFile } from "../profiles/index.ts";
import { type DoctorFacts, doctorReport } from "../ui/index.ts";
import { ownExtensionPaths } from "./child-environment-of.ts";
import { hostFeatures } from "./host-features.ts";
import type { ProfileFiles } from "./profile-files.ts";
import type { SessionProblems } from "./session-problems.ts";
import { toolConflicts } from "./tool-conflicts.ts";
import { listLeftoverWorktrees } from "./worktree-leftovers.ts";

/** What the doctor asks of a session. */
export interface Patient {
	readonly profiles: ProfileFiles;
	readonly problems: SessionProblems;
}

/** The answer of `/agents doctor`. The profiles are read again first, so that what has just been repaired is not told. */
export async function examine(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	{ profiles, problems }: Patient,
	tools: readonly string[],
): Promise<{ readonly text: string; readonly ok: boolean }> {
	await profiles.refresh();
	const { model } = ctx;
	const worktrees = await listLeftoverWorktrees(getAgentDir());
	return doctorReport({
		profiles: profiles.profiles(),
		diagnostics: problems.list(),
		conflicts: toolConflicts(pi, tools, ownExtensionPaths),
		worktrees: worktrees.map(({ mark: { path, branch }, reason }) => ({ path, branch, reason })),
		projectTrusted: ctx.isProjectTrusted(),
		projectFiles: `.pi/agents and ${projectSettingsFile}`,
		model: model && `${model.provider}/${model.id}`,
		host: { version: VERSION, lacks: lackingOf() },
	});
}

function lackingOf(): DoctorFacts["host"]["lacks"] {
	const { boundary, returnedIsError } = hostFeatures();
	return [
		...(boundary ? [] : ["results reach a busy session as follow-ups (0.87.0 can add them before it settles)"]),
		...(returnedIsError ? [] : ["failed calls are marked by a hook (0.99.0 takes the mark itself)"]),
	];
}
