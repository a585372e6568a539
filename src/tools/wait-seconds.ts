import { longestTimer } from "../operators/longest-timer.ts";
import type { ResultParams } from "./parameters.ts";
import type { ToolDeps } from "./tool-deps.ts";

/** In seconds: nobody waits for 24 days. */
const longestWait = Math.floor(longestTimer / 1_000);

/** How many seconds a wait may take, as the call or else the settings have it. */
export function waitSeconds(deps: ToolDeps, params: ResultParams): number {
	return Math.min(params.timeout_s ?? deps.settings().waitTimeoutSeconds, longestWait);
}
