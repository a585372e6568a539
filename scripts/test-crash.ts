import { runVitest } from "./lib/run-vitest.ts";

/**
 * Kills a real Pi at many moments: `npm run test:crash -- <moments> <first variant>`, by default 200 from variant 0, a
 * multiple of the eight phases so that each has its part. `PI_HOST_DIR` names another Pi, as for `test:hosts`.
 */
const [moments = "200", variant = "0"] = process.argv.slice(2);
console.log(`${moments} moments, ${Math.ceil(Number(moments) / 8)} in each phase, from variant ${variant}`);
runVitest(["--project", "host", "test/host/crash.test.ts", "--maxConcurrency=3"], {
	CRASH_MOMENTS: moments,
	CRASH_VARIANT: variant,
});
