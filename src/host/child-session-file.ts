import { access, mkdir, open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CURRENT_SESSION_VERSION, SessionManager } from "@earendil-works/pi-coding-agent";
import type { RunSpec } from "../streams/ports.ts";
import type { ChildEnvironment } from "./child-environment.ts";
import { StartupFailure } from "./child-startup-failure.ts";
import { checkConversation } from "./resumable-conversation.ts";

type SessionPlace = Pick<ChildEnvironment, "cwd" | "sessionsDir" | "parentSessionFile">;

/**
 * The conversation of an agent: a new one for its first run, the same one for each resume. The host would name the file
 * by time, make it readable to others and write nothing before the first message; so the header is written here, and
 * the host opens a file that exists: the agent's id is the session's id, and every entry is on disk at once.
 */
export async function openSessionManager(place: SessionPlace, spec: RunSpec): Promise<SessionManager> {
	const { agentId } = spec;
	if (place.sessionsDir === undefined) {
		if (spec.run > 1) {
			throw new StartupFailure("There is no conversation to go on with: it was kept in memory only.");
		}
		return SessionManager.inMemory(place.cwd, { id: agentId });
	}
	const file = join(place.sessionsDir, `${agentId}.jsonl`);
	// A resume begins it where no earlier run has got as far, which an agent that never left the line has not.
	if (spec.run === 1 || (spec.mayBegin === true && (await isMissing(file)))) {
		await mkdir(place.sessionsDir, { recursive: true, mode: 0o700 });
		await writeFile(file, `${JSON.stringify(header(place, agentId))}\n`, { flag: "wx", mode: 0o600 });
	} else {
		await endLastLine(file);
		await checkConversation(file, spec);
	}
	return SessionManager.open(file, place.sessionsDir, place.cwd);
}

async function isMissing(file: string): Promise<boolean> {
	return access(file).then(
		() => false,
		() => true,
	);
}

function header({ cwd, parentSessionFile }: SessionPlace, id: string): Record<string, unknown> {
	return {
		type: "session",
		version: CURRENT_SESSION_VERSION,
		id,
		timestamp: new Date().toISOString(),
		cwd,
		...(parentSessionFile === undefined ? {} : { parentSession: parentSessionFile }),
	};
}

/** After a crash in the middle of a line, Pi 0.81.1 would append to that line and lose the next entry with it. */
async function endLastLine(file: string): Promise<void> {
	const handle = await open(file, "r+").catch((cause: unknown) => {
		throw new StartupFailure(`There is no conversation to go on with: ${file} cannot be opened.`, { cause });
	});
	try {
		const { size } = await handle.stat();
		const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
		if (buffer[0] !== newline) {
			await handle.write("\n", size);
		}
	} finally {
		await handle.close();
	}
}

const newline = 0x0a;
