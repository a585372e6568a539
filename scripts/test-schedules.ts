import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "./lib/source-files.ts";

/**
 * Plays random schedules on a real Pi: `npm run test:schedules -- <schedules> <first seed>`, by default 60 from a seed
 * of the day's. `PI_HOST_DIR` names another Pi, as for `test:hosts`, which installs them under `.hosts/<version>`.
 */
const [schedules = "60", seed = String(Math.floor(Date.now() / 86_400_000) * 1_000)] = process.argv.slice(2);
const vitest = join(createRequire(import.meta.url).resolve("vitest/package.json"), "../vitest.mjs");
console.log(`${schedules} schedules from seed ${seed}`);
const { status } = spawnSync(
	process.execPath,
	[vitest, "run", "--project", "host", "test/host/random-schedules.test.ts"],
	{ cwd: root, env: { ...process.env, SCHEDULES: schedules, SCHEDULE_SEED: seed }, stdio: "inherit" },
);
process.exitCode = status ?? 1;
