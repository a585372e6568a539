import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "./lib/source-files.ts";

/**
 * Starts and reads very many agents, over the streams alone and in one session of a real Pi: `npm run test:soak -- <agents>`, by default 10,000,
 * which takes some minutes. `PI_HOST_DIR` names another Pi, as for `test:hosts`.
 */
const [cycles = "10000"] = process.argv.slice(2);
const vitest = join(createRequire(import.meta.url).resolve("vitest/package.json"), "../vitest.mjs");
const { status } = spawnSync(
	process.execPath,
	[vitest, "run", "test/streams/soak.test.ts", "test/host/soak.test.ts", "--disable-console-intercept"],
	{ cwd: root, env: { ...process.env, SOAK_CYCLES: cycles }, stdio: "inherit" },
);
process.exitCode = status ?? 1;
