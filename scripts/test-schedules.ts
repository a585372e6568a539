import { runVitest } from "./lib/run-vitest.ts";

/**
 * Plays random schedules on a real Pi: `npm run test:schedules -- <schedules> <first seed>`, by default 60 from a seed
 * of the day's. `PI_HOST_DIR` names another Pi, as for `test:hosts`, which installs them under `.hosts/<version>`.
 */
const [schedules = "60", seed = String(Math.floor(Date.now() / 86_400_000) * 1_000)] = process.argv.slice(2);
console.log(`${schedules} schedules from seed ${seed}`);
runVitest(["--project", "host", "test/host/random-schedules.test.ts"], { SCHEDULES: schedules, SCHEDULE_SEED: seed });
