import { runVitest } from "./lib/run-vitest.ts";

/**
 * Starts and reads very many agents, over the streams alone and in one session of a real Pi: `npm run test:soak -- <agents>`, by default 10,000,
 * which takes some minutes. `PI_HOST_DIR` names another Pi, as for `test:hosts`.
 */
const [cycles = "10000"] = process.argv.slice(2);
runVitest(["test/streams/soak.test.ts", "test/host/soak.test.ts", "--disable-console-intercept"], {
	SOAK_CYCLES: cycles,
});
