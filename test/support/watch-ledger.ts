import { mkdirSync, readFileSync, watch } from "node:fs";
import { join } from "node:path";
import { type LedgerLine, parseLedgerLine } from "../../src/streams/index.ts";
import type { Pi } from "./pi.ts";
import type { PiRpc } from "./pi-rpc.ts";
import { createWatcher } from "./watcher.ts";

/** The ledger of a session, as it grows. */
export interface LedgerWatch {
	readonly sessionId: string;
	/** The session's folder. */
	readonly folder: string;
	/** The lines that can be read. */
	lines(): LedgerLine[];
	/** Resolves when the ledger has that. */
	until(holds: (lines: readonly LedgerLine[]) => boolean, what: string): Promise<void>;
	close(): void;
}

/** Watches the ledger of the process's session. Makes the session's folder, before there is anything in it. */
export async function watchLedger(pi: Pi, rpc: PiRpc): Promise<LedgerWatch> {
	const { data } = await rpc.request({ type: "get_state" });
	const { sessionId } = data as { sessionId: string };
	const folder = join(pi.agentDir, "orchestrator", sessionId);
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const path = join(folder, "ledger.jsonl");
	const watcher = createWatcher();
	const files = watch(folder, () => watcher.notify());
	const lines = (): LedgerLine[] => {
		try {
			const parsed = readFileSync(path, "utf8").split("\n").map(parseLedgerLine);
			return parsed.filter((line) => typeof line === "object");
		} catch {
			return [];
		}
	};
	return {
		sessionId,
		folder,
		lines,
		until: async (holds, what) => {
			await watcher.until(() => holds(lines()), what);
		},
		close: () => {
			files.close();
			watcher.close("nobody watches the ledger any more");
		},
	};
}
