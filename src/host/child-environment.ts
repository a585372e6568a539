import type { ModelRuntime, SettingsManager, ToolDefinition } from "@earendil-works/pi-coding-agent";
import type { SchedulerLike } from "rxjs";
import type { ChildQuestions } from "./child-ui.ts";
import type { Delegate } from "./delegation.ts";
import type { ProviderBackoffs } from "./provider-backoffs.ts";

/** Pi's settings, as `SettingsManager.inMemory` takes them. */
export type HostSettings = NonNullable<Parameters<typeof SettingsManager.inMemory>[0]>;

/** Which of the parent's other extensions a child loads for their hooks: all of them, none, or those at these paths. */
export type ChildExtensions = "inherit" | "none" | readonly string[];

/** Something that went wrong in a child beside its outcome, such as a hook that threw. */
export interface ChildProblem {
	readonly agentId: string;
	/** The extension's path, or `<run>` for a fault of the run itself. */
	readonly source: string;
	/** The host's name of the event whose handler failed. */
	readonly event: string;
	readonly message: string;
}

/**
 * What the parent's session lends to its children. Built once, at the parent's `session_start`; nothing in it touches
 * the parent's `ctx` or `pi` later, except the functions, which are called when a child starts, and `questions`.
 */
export interface ChildEnvironment {
	readonly cwd: string;
	/** The folder of whoever starts the child, where that is another one. */
	readonly parentCwd?: string;
	readonly agentDir: string;
	/** Whether the parent trusts the project: otherwise nothing below `.pi/` is run or read. */
	readonly projectTrusted: boolean;
	/** See `parentModelRuntime`. */
	readonly modelRuntime: () => Promise<ModelRuntime>;
	/** The parent's effective settings now (`pi.getSettings`); left out where the host cannot tell: then its files are read. */
	readonly settings?: () => HostSettings;
	readonly childExtensions: ChildExtensions;
	/** The process's arguments after the script: `-e`, `-ne` and the extensions' own flags are in there. */
	readonly argv: readonly string[];
	/** Files of extensions that the parent is known to have loaded. See `extensionFilesOf`. */
	readonly seenExtensionFiles: readonly string[];
	/** Our own entry file, in every form in which it may be found. A child never loads it. */
	readonly ownExtensionPaths: readonly string[];
	/** A line for the shell that makes a fresh git worktree ready for its agent. */
	readonly worktreeSetup?: string;
	/** Where child sessions are stored. Without it they are kept in memory, and cannot be resumed. */
	readonly sessionsDir?: string;
	/** Named in the header of a child's session file as where it comes from. */
	readonly parentSessionFile?: string;
	/** Seconds that a stopped or ended run has to come to rest before it is given up. */
	readonly stopGraceSeconds: number;
	/** The clock of the grace; real time where it is left out. */
	readonly scheduler?: SchedulerLike;
	/** What children that ask the same provider share; without it each has its own pauses. */
	readonly backoffs?: ProviderBackoffs;
	/** How a child starts agents of its own; without it none does. */
	readonly delegate?: Delegate;
	/** The parent's own instance of a tool that a child's session does not have; `undefined` where it cannot be had. */
	readonly lend?: (tool: string) => ToolDefinition | undefined;
	/** Seconds that a child's extensions have to register what it is to have; 10 where it is left out. */
	readonly toolWaitSeconds?: number;
	/** How a child's extensions ask the parent's person; without it there is nobody to ask. */
	readonly questions?: ChildQuestions;
	/** Told about problems that do not decide an outcome. What it throws is ignored. */
	readonly onProblem?: (problem: ChildProblem) => void;
}

/** Hands a problem to whoever listens, and survives them: this is called from inside the host's own work. */
export function reportProblem({ onProblem }: Pick<ChildEnvironment, "onProblem">, problem: ChildProblem): void {
	try {
		onProblem?.(problem);
	} catch {
		// A listener that fails is not the child's concern.
	}
}
