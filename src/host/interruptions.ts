import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { type RunKey, runKey } from "../streams/ids.ts";
import { noticeMessageType } from "../streams/message-types.ts";
import type { RestoredRun } from "../streams/restored-run.ts";
import { composeInterruptionNotice } from "../tools/index.ts";
import { whileActive } from "./host-features.ts";

/**
 * Puts a message into the session that names the agents whose runs are among `unsaid`. It starts no turn, and it is the
 * record of having been said: `details.interrupted` names the runs.
 */
export function announceInterruptions(
	pi: ExtensionAPI,
	restored: readonly RestoredRun[],
	unsaid: ReadonlySet<RunKey>,
): void {
	const records = restored.map(({ record }) => record).filter(({ agentId, run }) => unsaid.has(runKey(agentId, run)));
	if (records.length === 0) return;
	const content = composeInterruptionNotice(records);
	const details = { interrupted: [...unsaid] };
	const message = { customType: noticeMessageType, content, display: true, details };
	whileActive(() => pi.sendMessage(message, { triggerTurn: false }), undefined);
}
