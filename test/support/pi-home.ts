import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PiEntry } from "./pi-record.ts";

/** A model that the local provider offers. Prices are in US dollars for a million tokens. */
export interface LocalModel {
	readonly id: string;
	readonly reasoning?: boolean;
	readonly contextWindow?: number;
	readonly maxTokens?: number;
	/** What its provider can do, where that is not what Pi takes it to be. */
	readonly compat?: Readonly<Record<string, boolean>>;
	readonly cost?: { input: number; output: number; cacheRead: number; cacheWrite: number };
}

export interface PiHomeOptions {
	/** The base URL of the model server; without one there is no `local` provider. */
	readonly baseUrl?: string;
	/** By default `parent` and `child`, at 1 dollar for a million input tokens, 2 for output, 0.1 for cached. */
	readonly models?: readonly LocalModel[];
	/** Pi's own settings. Retries are off unless these say otherwise. */
	readonly settings?: Readonly<Record<string, unknown>>;
	/** What goes to `<agent dir>/orchestrator.json`. */
	readonly orchestrator?: unknown;
	/** Files in the agent directory, by relative path. */
	readonly agentFiles?: Readonly<Record<string, string>>;
	/** Files in the working directory, by relative path. */
	readonly projectFiles?: Readonly<Record<string, string>>;
}

export type PlacedFiles = Pick<PiHomeOptions, "agentFiles" | "projectFiles">;

/** A home of its own for a Pi, in a temporary directory. */
export interface PiHome {
	readonly root: string;
	readonly home: string;
	readonly agentDir: string;
	/** The working directory. */
	readonly cwd: string;
	/** The session files in Pi's own folder for them, oldest first by name. */
	sessionFiles(): string[];
	/** All files below `dir`, relative to it, sorted. None where it does not exist. */
	filesBelow(dir: string): string[];
	/** Writes `<agent dir>/orchestrator.json` anew, or removes it. A session reads it when it starts. */
	configure(orchestrator: unknown): void;
	/** Replaces the files of the project, all of them, and those that have been placed in the agent directory. */
	place(files: PlacedFiles): void;
	remove(): void;
}

/** Makes the directories and the configuration files. The caller removes them. */
export function createPiHome(options: PiHomeOptions = {}): PiHome {
	const root = realpathSync(mkdtempSync(join(tmpdir(), "pi-home-")));
	const home = join(root, "home");
	const agentDir = join(home, ".pi/agent");
	const cwd = join(root, "project");
	mkdirSync(agentDir, { recursive: true });
	mkdirSync(cwd);
	writeJson(join(agentDir, "settings.json"), { retry: { enabled: false }, ...options.settings });
	if (options.baseUrl !== undefined) {
		writeJson(join(agentDir, "models.json"), modelsFile(options.baseUrl, options.models));
	}
	const configure = (orchestrator: unknown): void => {
		const file = join(agentDir, "orchestrator.json");
		if (orchestrator === undefined) rmSync(file, { force: true });
		else writeJson(file, orchestrator);
	};
	configure(options.orchestrator);
	let placed: string[] = [];
	const place = ({ agentFiles = {}, projectFiles = {} }: PlacedFiles): void => {
		for (const path of placed) rmSync(join(agentDir, path), { force: true });
		for (const name of readdirSync(cwd)) rmSync(join(cwd, name), { recursive: true, force: true, maxRetries: 5 });
		placed = Object.keys(agentFiles);
		writeFiles(agentDir, agentFiles);
		writeFiles(cwd, projectFiles);
	};
	place(options);
	return {
		root,
		home,
		agentDir,
		cwd,
		sessionFiles: () =>
			filesBelow(join(agentDir, "sessions"))
				.filter((file) => file.endsWith(".jsonl"))
				.map((file) => join(agentDir, "sessions", file)),
		filesBelow,
		configure,
		place,
		remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
	};
}

/** The entries of a session file. A last line that is not whole is an error. */
export function readEntries(file: string): PiEntry[] {
	return readFileSync(file, "utf8")
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line) as PiEntry);
}

function modelsFile(baseUrl: string, models: readonly LocalModel[] = [{ id: "parent" }, { id: "child" }]): unknown {
	return {
		providers: {
			local: {
				baseUrl,
				api: "openai-completions",
				apiKey: "local-key",
				models: models.map((model) => ({
					contextWindow: 128_000,
					maxTokens: 8_192,
					cost: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 0 },
					...model,
				})),
			},
		},
	};
}

function filesBelow(dir: string): string[] {
	try {
		return readdirSync(dir, { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
			.sort();
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") {
			return [];
		}
		throw error;
	}
}

function writeFiles(dir: string, files: Readonly<Record<string, string>> = {}): void {
	for (const [path, content] of Object.entries(files)) {
		mkdirSync(dirname(join(dir, path)), { recursive: true });
		writeFileSync(join(dir, path), content);
	}
}

function writeJson(file: string, value: unknown): void {
	writeFileSync(file, `${JSON.stringify(value, null, "\t")}\n`);
}
