import { lastValueFrom, merge, type Observable } from "rxjs";
import type { AgentId } from "../streams/ids.ts";
import type { RunSpec } from "../streams/ports.ts";
import type { ChildEnvironment } from "./child-environment.ts";
import { openRunPlace, type RunPlace, type RunWorktree } from "./worktree-run.ts";

/** A worktree in which a run takes place, its own or that of the agent which has started it. */
export type WorkedIn = Pick<RunWorktree, "root" | "cwd" | "resourcesThere">;

/**
 * The worktrees of the runs that are under way. An agent that an isolated one starts works in the same worktree, and
 * within the same bounds: anywhere else it could do what its parent may not.
 */
export interface RunPlaces {
	/** The worktree of this agent's run. */
	of(agentId: AgentId | undefined): WorkedIn | undefined;
	/** A run of this agent takes place there. */
	keep(agentId: AgentId, worktree: WorkedIn): void;
	/** A run that works in the worktree of `parent` rests when `atRest$` completes, which it must. */
	share(parent: AgentId | undefined, atRest$: Observable<unknown>): void;
	/** The run of this agent has ended. Resolves when all have come to rest that work in the same place for it. */
	leave(agentId: AgentId): Promise<void>;
}

export function createRunPlaces(): RunPlaces {
	const worktrees = new Map<AgentId, WorkedIn>();
	const guests = new Map<AgentId, Observable<unknown>[]>();
	return {
		of: (agentId) => (agentId === undefined ? undefined : worktrees.get(agentId)),
		keep: (agentId, worktree) => {
			worktrees.set(agentId, worktree);
		},
		share: (parent, atRest$) => {
			if (parent === undefined || !worktrees.has(parent)) return;
			guests.set(parent, [...(guests.get(parent) ?? []), atRest$]);
		},
		leave: async (agentId) => {
			const all = guests.get(agentId) ?? [];
			guests.delete(agentId);
			worktrees.delete(agentId);
			await lastValueFrom(merge(...all), { defaultValue: undefined });
		},
	};
}

/** A run that looks for its place. */
export interface PlacedRun {
	readonly env: ChildEnvironment;
	readonly spec: RunSpec;
	readonly places: RunPlaces;
	/** Completes when it has come to rest. */
	readonly atRest$: Observable<unknown>;
}

/** That of the run's parent where this is a worktree, and else what its configuration asks for. Fails like `openRunPlace`. */
export async function openSharedPlace(
	{ env, spec, places, atRest$ }: PlacedRun,
	signal: AbortSignal,
): Promise<RunPlace & { readonly bounds: WorkedIn | undefined }> {
	const shared = places.of(spec.parent);
	if (shared === undefined) {
		const place = await openRunPlace(env, spec, signal);
		return { ...place, bounds: place.worktree };
	}
	places.share(spec.parent, atRest$);
	return { env: { ...env, cwd: shared.cwd }, prompt: spec.prompt, bounds: shared };
}
