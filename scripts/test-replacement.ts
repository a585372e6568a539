import { runVitest } from "./lib/run-vitest.ts";

/**
 * Leaves sessions of a real Pi in every way while their agents are in every state: `npm run test:replacement`, over RPC
 * and in a terminal. `npm test` plays a third of it. `PI_HOST_DIR` names another Pi, as for `test:hosts`.
 */
runVitest(["--project", "host", "test/host/replacement.test.ts", "test/host/replacement-tui.test.ts"], {
	REPLACEMENT: "whole",
});
