import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A home and a project that exist for one demonstration. */
export interface Workspace {
	readonly home: string;
	readonly agentDir: string;
	readonly project: string;
	readonly temporary: string;
	/** The last lines of the project's notes, by file: made up anew each time, so that nobody can know them by heart. */
	readonly facts: Readonly<Record<"brief" | "weather" | "tide", string>>;
	readonly codeword: string;
	/** The session files below a folder of the agent directory. */
	sessionFiles(folder: string): string[];
	remove(): void;
}

/** Makes the workspace in the system's temporary directory, and nothing outside it. */
export function createWorkspace(): Workspace {
	const home = mkdtempSync(join(tmpdir(), "delegate-"));
	const agentDir = join(home, ".pi/agent");
	const project = join(home, "harbour");
	const temporary = join(home, "tmp");
	const codeword = `lantern-${randomBytes(3).toString("hex")}`;
	const facts = {
		brief: `Quay ${randomNumber(9)} closes at dusk; codeword: ${codeword}`,
		weather: `Wind force ${randomNumber(12)}, mark ${randomBytes(3).toString("hex")}.`,
		tide: `High water ${randomNumber(23)}:${10 + randomNumber(49)}, mark ${randomBytes(3).toString("hex")}.`,
	};
	mkdirSync(agentDir, { recursive: true });
	mkdirSync(temporary);
	mkdirSync(join(project, "notes"), { recursive: true });
	for (const [name, fact] of Object.entries(facts)) {
		writeFileSync(join(project, "notes", `${name}.md`), `# Notes: ${name}\n\n${fact}\n`);
	}
	return {
		home,
		agentDir,
		project,
		temporary,
		facts,
		codeword,
		sessionFiles: (folder) => jsonlBelow(join(agentDir, folder)),
		remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }),
	};
}

/** The command that starts Pi with the extension and the scripted models, offline and with the workspace as its home. */
export function piCommand(workspace: Workspace, args: readonly string[], tokensPerSecond: number) {
	const root = fileURLToPath(new URL("../..", import.meta.url));
	const provider = fileURLToPath(new URL("../scripted-provider.ts", import.meta.url));
	// Pi's own variables could send files elsewhere. Caches of compiled code go to TMPDIR, and so into the workspace.
	const outer = Object.entries(process.env).filter(([name]) => !name.startsWith("PI_"));
	return {
		node: process.execPath,
		args: [findPi(), "--extension", root, "--extension", provider, "--model", "scripted/lead", ...args],
		options: {
			cwd: workspace.project,
			env: {
				...Object.fromEntries(outer),
				HOME: workspace.home,
				TMPDIR: workspace.temporary,
				PI_CODING_AGENT_DIR: workspace.agentDir,
				PI_OFFLINE: "1",
				SCRIPTED_TOKENS_PER_SECOND: String(tokensPerSecond),
			},
		},
	};
}

function findPi(): string {
	const file = findPackageJSON("@earendil-works/pi-coding-agent", import.meta.url);
	if (file === undefined) {
		throw new Error("Pi is not installed here: run npm install first");
	}
	const { bin } = JSON.parse(readFileSync(file, "utf8")) as { bin: { pi: string } };
	return join(dirname(file), bin.pi);
}

function jsonlBelow(dir: string): string[] {
	try {
		return readdirSync(dir, { recursive: true, encoding: "utf8" })
			.filter((file) => file.endsWith(".jsonl"))
			.map((file) => join(dir, file));
	} catch {
		return [];
	}
}

function randomNumber(most: number): number {
	return 1 + ((randomBytes(1)[0] ?? 0) % most);
}
