import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "./source-files.ts";

/** Runs Vitest with these arguments, and `asked` beside the environment; this process ends as it does. */
export function runVitest(args: readonly string[], asked: Readonly<Record<string, string>>): void {
	const vitest = join(createRequire(import.meta.url).resolve("vitest/package.json"), "../vitest.mjs");
	const env = { ...process.env, ...asked };
	const { status } = spawnSync(process.execPath, [vitest, "run", ...args], { cwd: root, env, stdio: "inherit" });
	process.exitCode = status ?? 1;
}
