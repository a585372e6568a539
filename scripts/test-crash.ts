import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "./lib/source-files.ts";

/**
 * Kills a real Pi at many moments: `npm run test:crash -- <moments> <first variant>`, by default 200 from variant 0, a
 * multiple of the eight phases so that each has its part. `PI_HOST_DIR` names another Pi, as for `test:hosts`.
 */
const [moments = "200", variant = "0"] = process.argv.slice(2);
const vitest = join(createRequire(import.meta.url).resolve("vitest/package.json"), "../vitest.mjs");
console.log(`${moments} moments, ${Math.ceil(Number(moments) / 8)} in each phase, from variant ${variant}`);
const { status } = spawnSync(
	process.execPath,
	[vitest, "run", "--project", "host", "test/host/crash.test.ts", "--maxConcurrency=3"],
	{
		cwd: root,
		env: { ...process.env, CRASH_MOMENTS: moments, CRASH_VARIANT: variant },
		stdio: "inherit",
	},
);
process.exitCode = status ?? 1;
