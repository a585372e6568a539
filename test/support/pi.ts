import { join } from "node:path";
import { findPi, nodeForPi, ownExtension, repositoryRoot } from "./pi-cli.ts";
import { createPiHome, type PiHome, type PiHomeOptions } from "./pi-home.ts";
import { type PiExit, type PiProcess, startPiProcess } from "./pi-process.ts";
import type { PiRecord } from "./pi-record.ts";
import { createPiRpc, type PiRpc } from "./pi-rpc.ts";

export interface PiOptions extends PiHomeOptions {
	/** Extensions to load; by default this repository's own. */
	readonly extensions?: readonly string[];
	/** By default `local/parent`; `null` leaves the choice to Pi. */
	readonly model?: string | null;
	/** False for `--no-session`; a string for `--session-dir`; by default Pi's own folder in the agent directory. */
	readonly session?: boolean | string;
	/** True trusts the project for the run, false denies it; by default Pi decides. */
	readonly trust?: boolean;
	/** Added to a small environment that inherits nothing but PATH, TMPDIR and the language. */
	readonly env?: Readonly<Record<string, string>>;
	/** The directory whose node_modules hold the Pi to run. */
	readonly hostDir?: string;
}

export interface PiRun extends PiExit {
	readonly stdout: string;
	readonly stderr: string;
}

export interface PiJsonRun extends PiRun {
	readonly events: readonly PiRecord[];
}

/** A real `pi` with a home of its own. All runs share the home, so that a second one can go on with the first's session. */
export interface Pi extends PiHome {
	readonly version: string;
	/** The command and environment of a run, for drivers that start it in another way. */
	command(args?: readonly string[]): { node: string; args: string[]; env: Record<string, string> };
	startPrint(args: readonly string[]): PiProcess;
	startJson(args: readonly string[]): PiProcess;
	startRpc(args?: readonly string[]): PiRpc;
	runPrint(args: readonly string[]): Promise<PiRun>;
	runJson(args: readonly string[]): Promise<PiJsonRun>;
	/**
	 * Ends what still runs, then removes the home. An RPC process gets its stdin closed and `stopTimeout` milliseconds;
	 * not to end by itself is an error, since something of ours keeps it alive.
	 */
	dispose(): Promise<void>;
}

const stopTimeout = 30_000;

/** Prepares a Pi and leaves disposing of it to the caller; in a test, use `usePi`. */
export function createPi(options: PiOptions = {}): Pi {
	const { cli, version } = findPi(options.hostDir);
	const home = createPiHome(options);
	const processes: { process: PiProcess; rpc: boolean }[] = [];

	function command(args: readonly string[] = []) {
		return { node: nodeForPi(), args: [cli, ...commonArgs(options), ...args], env: environment(home, options.env) };
	}

	function start(args: readonly string[], json: boolean, rpc: boolean): PiProcess {
		const process = startPiProcess({ ...command(args), cwd: home.cwd, stdin: rpc ? "pipe" : "ignore", json });
		processes.push({ process, rpc });
		return process;
	}

	const startPrint = (args: readonly string[]) => start(["--print", ...args], false, false);
	const startJson = (args: readonly string[]) => start(["--mode", "json", ...args], true, false);
	const startRpc = (args: readonly string[] = []) => createPiRpc(start(["--mode", "rpc", ...args], true, true));

	async function runPrint(args: readonly string[]): Promise<PiRun> {
		const process = startPrint(args);
		const exit = await process.exit;
		return { ...exit, stdout: process.stdout, stderr: process.stderr };
	}

	async function runJson(args: readonly string[]): Promise<PiJsonRun> {
		const process = startJson(args);
		const exit = await process.exit;
		return { ...exit, stdout: process.stdout, stderr: process.stderr, events: process.records };
	}

	async function dispose(): Promise<void> {
		const failures = await Promise.all(processes.map(({ process, rpc }) => end(process, rpc)));
		home.remove();
		const failure = failures.find((message) => message !== undefined);
		if (failure !== undefined) {
			throw new Error(failure);
		}
	}

	return { ...home, version, command, startPrint, startJson, startRpc, runPrint, runJson, dispose };
}

/** Ends a process that still runs. Says what went wrong, if it had to be killed although it should have ended. */
async function end(process: PiProcess, rpc: boolean): Promise<string | undefined> {
	if (process.exited) {
		return undefined;
	}
	let killed = false;
	process.closeStdin();
	const kill = () => {
		killed = true;
		process.kill("SIGKILL");
	};
	const timer = setTimeout(kill, rpc ? stopTimeout : 0);
	await process.exit;
	clearTimeout(timer);
	return killed && rpc ? `pi was still alive ${stopTimeout} ms after its stdin had closed` : undefined;
}

function commonArgs({ extensions, model = "local/parent", session = true, trust }: PiOptions): string[] {
	return [
		...(extensions ?? [ownExtension()]).flatMap((path) => ["--extension", path]),
		...(model === null ? [] : ["--model", model]),
		...(session === false ? ["--no-session"] : []),
		...(typeof session === "string" ? ["--session-dir", session] : []),
		...(trust === undefined ? [] : [trust ? "--approve" : "--no-approve"]),
	];
}

function environment(home: PiHome, extra: Readonly<Record<string, string>> = {}): Record<string, string> {
	const inherited = ["PATH", "TMPDIR", "LANG"].flatMap((name) => {
		const value = process.env[name];
		return value === undefined ? [] : [[name, value] as const];
	});
	return {
		...Object.fromEntries(inherited),
		HOME: home.home,
		PI_CODING_AGENT_DIR: home.agentDir,
		PI_OFFLINE: "1",
		// Pi's own modules are compiled once, not at each of some hundred starts.
		NODE_COMPILE_CACHE: join(repositoryRoot, "node_modules/.cache/node"),
		...extra,
	};
}
