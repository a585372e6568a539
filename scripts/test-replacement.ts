import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "./lib/source-files.ts";

/**
 * Leaves sessions of a real Pi in every way while their agents are in every state: `npm run test:replacement`, over RPC
 * and in a terminal. `npm test` plays a third of it. `PI_HOST_DIR` names another Pi, as for `test:hosts`.
 */
const vitest = join(createRequire(import.meta.url).resolve("vitest/package.json"), "../vitest.mjs");
const { status } = spawnSync(
	process.execPath,
	[vitest, "run", "--project", "host", "test/host/replacement.test.ts", "test/host/replacement-tui.test.ts"],
	{ cwd: root, env: { ...process.env, REPLACEMENT: "whole" }, stdio: "inherit" },
);
process.exitCode = status ?? 1;
