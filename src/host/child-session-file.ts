import { access, mkdir, open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
	buildSessionContext,
	CURRENT_SESSION_VERSION,
	type FileEntry,
	type SessionEntry,
	SessionManager,
} from "@earendil-works/pi-coding-agent";
import type { RunSpec } from "../streams/ports.ts";
import type { ChildEnvironment } from "./child-environment.ts";
import { StartupFailure } from "./child-startup-failure.ts";
import { inheritedEnd, inheritedLines } from "./inherited-conversation.ts";
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
		return sessionInMemory(place, spec);
	}
	const file = join(place.sessionsDir, `${agentId}.jsonl`);
	// A resume begins it where no earlier run has got as far, which an agent that never left the line has not.
	if (spec.run === 1 || (spec.mayBegin === true && (await isMissing(file)))) {
		await mkdir(place.sessionsDir, { recursive: true, mode: 0o700 });
		const lines = [header(place, agentId), ...beginning(spec)].map((line) => `${JSON.stringify(line)}\n`);
		await writeFile(file, lines.join(""), { flag: "wx", mode: 0o600 });
	} else {
		await endLastLine(file);
		await checkConversation(file, spec);
	}
	return SessionManager.open(file, place.sessionsDir, place.cwd);
}

/** What it starts from, where that is its parent's conversation. */
function beginning({ config }: RunSpec): readonly SessionEntry[] {
	return config.inherited === undefined ? [] : inheritedLines(config.inherited, new Date());
}

function sessionInMemory(place: SessionPlace, spec: RunSpec): SessionManager {
	const { agentId: id } = spec;
	const entries = beginning(spec);
	if (entries.length === 0) return SessionManager.inMemory(place.cwd, { id });
	const session = SessionManager.inMemory(place.cwd, { id }, [header(place, id) as unknown as FileEntry, ...entries]);
	if (session.getEntries().length > 0) return session;
	// Hosts before 1.3 take no entries. What they say to the model is what counts, and nothing here is kept.
	for (const message of buildSessionContext([...entries]).messages) {
		if (message.role === "custom") {
			session.appendCustomMessageEntry(message.customType, message.content, message.display, message.details);
		} else session.appendMessage(message as Parameters<SessionManager["appendMessage"]>[0]);
	}
	const { customType, data } = inheritedEnd(entries.length - 1);
	session.appendCustomEntry(customType, data);
	return session;
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
