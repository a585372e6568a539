import { runVitest } from "./lib/run-vitest.ts";

/**
 * Leaves sessions of a real Pi in every way while their agents are in every state: `npm run test:replacement`, over RPC
 * and in a terminal, and ends one-shot runs by every signal while they wait for agents. `npm test` plays a part of it.
 * `PI_HOST_DIR` names another Pi, as for `test:hosts`.
 */
const files = ["replacement", "replacement-tui", "extension-headless"].map((name) => `test/host/${name}.test.ts`);
runVitest(["--project", "host", ...files], { REPLACEMENT: "whole" });
