import { type ChildProcess, spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { createNarrator } from "./narrate.ts";
import { type Line, parseLines } from "./transcript.ts";
import { verify } from "./verify.ts";
import { createWorkspace, piCommand, type Workspace } from "./workspace.ts";

const usage = `Shows a Pi session that delegates to subagents: the real pi, offline, with scripted models.

  npm start             runs the demonstration, then proves from the transcripts that it took place
  npm start -- --tui    opens it in Pi's own interface
  npm start -- --help   says this

A lead agent runs one child in the foreground and two in the background, steers one of these while it works, waits for
it, and gets the other's result by itself. All files are in a temporary directory, which is removed at the end.
Exits with 0 only when every step took place.`;

const request = "Delegate the harbour report.";

const hint = `The lead has been asked: "${request}"
While it works, press Ctrl+O to see tool results in full. Afterwards try:
  /agents list          what the agents came to
  delegate once more    to see it again
  /quit                 to leave
`;

/** Runs a child process to its end. A signal to this process ends the child first, so that the workspace can go. */
function finished(child: ChildProcess): Promise<{ code: number; interrupted: boolean }> {
	return new Promise((resolve, reject) => {
		let interrupted = false;
		const interrupt = (signal: NodeJS.Signals) => {
			// A second signal does not wait for an orderly end.
			child.kill(interrupted ? "SIGKILL" : signal === "SIGINT" ? "SIGTERM" : signal);
			interrupted = true;
		};
		const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
		for (const signal of signals) {
			process.on(signal, interrupt);
		}
		child.on("error", reject);
		child.on("close", (code) => {
			for (const signal of signals) {
				process.off(signal, interrupt);
			}
			resolve({ code: code ?? 1, interrupted });
		});
	});
}

async function runInteractively(workspace: Workspace): Promise<number> {
	console.log(hint);
	const { node, args, options } = piCommand(workspace, ["--no-session", request], 40);
	const { code } = await finished(spawn(node, args, { ...options, stdio: "inherit" }));
	return code;
}

async function runAndVerify(workspace: Workspace): Promise<number> {
	const { node, args, options } = piCommand(workspace, ["--mode", "json", request], 200);
	console.log("(Pi starts, and compiles the extension's sources first: that takes some seconds.)\n");
	console.log(`you        ${request}`);
	const child = spawn(node, args, { ...options, stdio: ["ignore", "pipe", "inherit"] });
	const narrate = createNarrator((line) => console.log(line));
	let rest = "";
	child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
		const text = rest + chunk;
		const end = text.lastIndexOf("\n") + 1;
		rest = text.slice(end);
		parseLines(text.slice(0, end)).forEach((event: Line) => {
			narrate(event);
		});
	});
	const { code, interrupted } = await finished(child);
	if (interrupted) {
		console.log("\nInterrupted.");
		return 130;
	}
	const steps = [{ what: "pi ended by itself without an error", took: code === 0 }, ...verify(workspace)];
	console.log("\nWhat the transcripts say:");
	for (const { what, took } of steps) {
		console.log(`  ${took ? "yes" : "NO "}  ${what}`);
	}
	const missing = steps.filter((step) => !step.took).length;
	console.log(
		missing === 0 ? "\nThe delegation took place." : `\n${missing} of ${steps.length} steps did not take place.`,
	);
	return missing === 0 ? 0 : 1;
}

async function main(): Promise<number> {
	const { values } = parseArgs({ options: { tui: { type: "boolean" }, help: { type: "boolean", short: "h" } } });
	if (values.help) {
		console.log(usage);
		return 0;
	}
	const workspace = createWorkspace();
	try {
		return await (values.tui ? runInteractively(workspace) : runAndVerify(workspace));
	} finally {
		workspace.remove();
	}
}

process.exitCode = await main();
