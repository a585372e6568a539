import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LeaseAnswer } from "../streams/index.ts";
import { isCode, processStart } from "./process-start.ts";

/** The right to publish and to keep schedules for one session of the parent: of all processes one has it. */
export interface SessionLease {
	/**
	 * Takes it, or makes sure that it is still held. Of several who ask at once one gets it; who finds that its holder is
	 * gone takes it over. Rejects when the folder cannot be written.
	 */
	acquire(): Promise<LeaseAnswer>;
	/** Whether the last answer was that it is held here. */
	readonly held: boolean;
	/** Who has it instead, as last found. */
	readonly holder: string | undefined;
	/** Gives it back. Never rejects. */
	release(): Promise<void>;
}

/** Who has a lease. A process id is used again, so the time of its start is part of who it is. */
interface Holder {
	readonly version: 1;
	readonly pid: number;
	readonly started: string;
	/** Unlike that of any other lease, also of the same process. */
	readonly token: string;
}

/** What is found at the end of the line of holders. */
interface Found {
	/** Where whoever comes next has to write its name. */
	readonly path: string;
	/** The files on the way there, of holders that are gone. */
	readonly passed: readonly string[];
	/** Who is there and alive. */
	readonly holder: Holder | undefined;
}

/** More rounds than takers come at once: each round that is lost has another winner. */
const rounds = 50;

/** A lease on a session's folder. Without a folder nobody else knows of the session, and it is always held. */
export function createSessionLease(folder: string | undefined): SessionLease {
	if (folder === undefined) {
		return { acquire: async () => ({ held: true }), held: true, holder: undefined, release: async () => undefined };
	}
	const root = join(folder, "lease.json");
	const token = randomUUID();
	let state: LeaseAnswer | undefined;
	let asking: Promise<LeaseAnswer> | undefined;

	const acquire = async (): Promise<LeaseAnswer> => {
		await mkdir(folder, { recursive: true, mode: 0o700 });
		const started = (await processStart(process.pid)) ?? "unknown";
		const own: Holder = { version: 1, pid: process.pid, started, token };
		for (let round = 0; round < rounds; round++) {
			const found = await findHolder(root, token);
			if (found.holder?.token === token) return { held: true };
			if (found.holder !== undefined) return { held: false, holder: `Another pi (process ${found.holder.pid})` };
			if (await takeOver(root, found, own)) return { held: true };
		}
		return { held: false, holder: "Another pi" };
	};

	return {
		acquire: () => {
			asking ??= acquire()
				.then((answer) => {
					state = answer;
					return answer;
				})
				.finally(() => {
					asking = undefined;
				});
			return asking;
		},
		get held() {
			return state?.held ?? false;
		},
		get holder() {
			return state === undefined || state.held ? undefined : state.holder;
		},
		release: async () => {
			await asking?.catch(() => undefined);
			if (state?.held !== true) return;
			state = undefined;
			try {
				if ((await readHolder(root))?.token === token) await rm(root, { force: true });
			} catch {
				// Who is not alive any more holds nothing: the next one takes it over.
			}
		},
	};
}

/**
 * Follows the line of holders: each is named in a file that is called after the one before, whose place it takes. So two
 * who find the same holder gone try to create the same file, and only one can. Nobody removes a holder's file but who
 * comes after it.
 */
async function findHolder(root: string, token: string): Promise<Found> {
	const passed: string[] = [];
	for (let path = root; ; ) {
		const holder = await readHolder(path);
		if (holder === undefined) return { path, passed, holder };
		if (holder.token === token || (await isAlive(holder))) return { path, passed, holder };
		passed.push(path);
		path = `${root}.${holder.token}`;
	}
}

/** Writes its name at the end of the line, and moves that to its beginning. `false` when another was quicker. */
async function takeOver(root: string, { path, passed }: Found, own: Holder): Promise<boolean> {
	// A link and not a new file: it is there with its content, or not at all.
	const draft = `${root}.${own.token}.${randomUUID()}`;
	await writeFile(draft, JSON.stringify(own), { mode: 0o600 });
	try {
		await link(draft, path);
	} catch (error) {
		if (isCode(error, "EEXIST")) return false;
		throw error;
	} finally {
		await rm(draft, { force: true });
	}
	if (path === root) return true;
	// Whoever moved the line's end to its beginning meanwhile left this place empty, and has the lease.
	const now = await findHolder(root, own.token);
	if (now.path !== path) {
		await rm(path, { force: true });
		return false;
	}
	await rename(path, root);
	for (const gone of passed) if (gone !== root) await rm(gone, { force: true });
	return true;
}

/** Who stands in a file; `undefined` where there is none. */
async function readHolder(path: string): Promise<Holder | undefined> {
	let text: string;
	try {
		text = await readFile(path, "utf8");
	} catch (error) {
		if (isCode(error, "ENOENT")) return undefined;
		throw error;
	}
	return toHolder(text);
}

/** Files are linked whole, so what cannot be read was written by a hand: a holder that is gone, with a name of its own. */
function toHolder(text: string): Holder {
	const nobody: Holder = { version: 1, pid: 0, started: "", token: "unreadable" };
	try {
		const value: unknown = JSON.parse(text);
		if (typeof value !== "object" || value === null) return nobody;
		const { pid, started, token } = value as Partial<Record<keyof Holder, unknown>>;
		const whole = Number.isInteger(pid) && typeof started === "string" && typeof token === "string";
		return whole && /^[\w-]{1,64}$/.test(token) ? { version: 1, pid: Number(pid), started, token } : nobody;
	} catch {
		return nobody;
	}
}

async function isAlive({ pid, started }: Holder): Promise<boolean> {
	return pid > 0 && (await processStart(pid)) === started;
}
