import { spawn } from "node:child_process";
import type { PiRecord } from "./pi-record.ts";
import { createWatcher } from "./watcher.ts";

/** How a process ended: by exit code or by signal. */
export interface PiExit {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
}

/** A running `pi`. */
export interface PiProcess {
	readonly pid: number;
	readonly exit: Promise<PiExit>;
	/** Undefined while it runs. */
	readonly exited: PiExit | undefined;
	readonly stdout: string;
	readonly stderr: string;
	/** The JSON lines on stdout so far; empty where stdout is text. */
	readonly records: readonly PiRecord[];
	/** The first record that satisfies the predicate, past or to come. Rejects when the process ends without one. */
	until(predicate: (record: PiRecord) => boolean, what?: string): Promise<PiRecord>;
	/** As `until`, for records that come after this call. */
	untilNext(predicate: (record: PiRecord) => boolean, what?: string): Promise<PiRecord>;
	/** The first truthy answer, asked now and after each piece of output. */
	untilHolds<T>(condition: () => T | undefined | null | false, what?: string): Promise<T>;
	/** Forgets the records so far. */
	forget(): void;
	/** Writes one JSON line to stdin. */
	writeLine(value: unknown): void;
	closeStdin(): void;
	kill(signal: NodeJS.Signals): void;
}

export interface PiProcessOptions {
	readonly node: string;
	readonly args: readonly string[];
	readonly cwd: string;
	readonly env: NodeJS.ProcessEnv;
	/** With `pipe` the process lives until stdin closes; the one-shot modes would wait for its end. */
	readonly stdin: "pipe" | "ignore";
	/** Whether stdout is JSON lines. */
	readonly json: boolean;
}

/** Starts the process. The caller owns it. */
export function startPiProcess({ node, args, cwd, env, stdin, json }: PiProcessOptions): PiProcess {
	const child = spawn(node, args, { cwd, env, stdio: [stdin, "pipe", "pipe"] });
	const watcher = createWatcher();
	const records: PiRecord[] = [];
	let stdout = "";
	let stderr = "";
	let exited: PiExit | undefined;
	let consumed = 0;

	child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
		stdout += chunk;
		if (json) {
			// Only LF separates records: a line reader that splits on U+2028 would break strings.
			for (let end = stdout.indexOf("\n", consumed); end >= 0; end = stdout.indexOf("\n", consumed)) {
				const line = stdout.slice(consumed, end);
				consumed = end + 1;
				records.push(parseRecord(line));
			}
		}
		watcher.notify();
	});
	child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
		stderr += chunk;
		watcher.notify();
	});
	// A write after the process died; its exit says more than the broken pipe would.
	child.stdin?.on("error", () => {});

	const exit = new Promise<PiExit>((resolve, reject) => {
		child.on("error", reject);
		child.on("close", (code, signal) => {
			exited = { code, signal };
			watcher.close(`pi ended with ${signal ?? `code ${code}`}${stderr && `, stderr: ${stderr.slice(-2000)}`}`);
			resolve(exited);
		});
	});

	function find(from: number, predicate: (record: PiRecord) => boolean, what?: string): Promise<PiRecord> {
		let seen = from;
		return watcher.until(() => {
			for (; seen < records.length; seen += 1) {
				const record = records[seen];
				if (record && predicate(record)) {
					return record;
				}
			}
			return undefined;
		}, what ?? `a record that satisfies ${predicate}`);
	}

	return {
		pid: child.pid ?? -1,
		exit,
		get exited() {
			return exited;
		},
		get stdout() {
			return stdout;
		},
		get stderr() {
			return stderr;
		},
		records,
		until: (predicate, what) => find(0, predicate, what),
		untilNext: (predicate, what) => find(records.length, predicate, what),
		untilHolds: watcher.until,
		forget() {
			records.length = 0;
		},
		writeLine(value) {
			child.stdin?.write(`${JSON.stringify(value)}\n`);
		},
		closeStdin() {
			child.stdin?.end();
		},
		kill(signal) {
			if (!exited) {
				child.kill(signal);
			}
		},
	};
}

/** A line that is not JSON is kept, so that a test that looks for it can say so. */
function parseRecord(line: string): PiRecord {
	try {
		return JSON.parse(line) as PiRecord;
	} catch {
		return { type: "not json", line };
	}
}
