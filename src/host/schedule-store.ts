import { constants } from "node:fs";
import { copyFile, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { defer, of } from "rxjs";
import { type KeptSchedules, parseScheduleEntry, type ScheduleEntry, type ScheduleStore } from "../streams/index.ts";
import { isCode } from "./process-start.ts";

/** The form of the file. One that has a later number is not ours to read, and must not be written over. */
const version = 1;

export interface ScheduleStoreOptions<Job> {
	/** The session's folder; without one, schedules are kept in memory and end with the session. */
	readonly folder: string | undefined;
	readonly parseJob: (job: unknown) => Job | undefined;
	/** Hears of what was put aside. */
	readonly notify: (text: string, level: "warning") => void;
}

/** Keeps schedules in `schedules.json`, which is replaced as a whole. For who has the session's lease. */
export function createScheduleStore<Job>(options: ScheduleStoreOptions<Job>): ScheduleStore<Job> {
	const { folder } = options;
	if (folder === undefined) return inMemory();
	const path = join(folder, "schedules.json");

	const load = async (repair: boolean): Promise<KeptSchedules<Job>> => {
		let text: string;
		try {
			text = await readFile(path, "utf8");
		} catch (error) {
			if (isCode(error, "ENOENT")) return { entries: [], damaged: false };
			throw error;
		}
		const { entries, why, lost } = readText(text, options.parseJob);
		if (why === undefined) return { entries, damaged: false };
		if (repair) {
			const kept = await setAside(path, why);
			options.notify(`${lost} The file is kept as ${kept}.`, "warning");
		}
		return { entries, damaged: true };
	};

	return {
		sessionOnly: false,
		load: (repair) => defer(() => load(repair)),
		save: (entries) =>
			defer(() => replaceFile(folder, path, JSON.stringify({ version, schedules: entries }, null, "\t"))),
	};
}

function inMemory<Job>(): ScheduleStore<Job> {
	let kept: readonly ScheduleEntry<Job>[] = [];
	return {
		sessionOnly: true,
		load: () => defer(() => of({ entries: kept, damaged: false })),
		save: (entries) =>
			defer(() => {
				kept = entries;
				return of(undefined);
			}),
	};
}

interface ReadText<Job> {
	readonly entries: readonly ScheduleEntry<Job>[];
	/** Why not everything could be used, as part of a file's name, and what that means. */
	readonly why?: "newer" | "damaged";
	readonly lost?: string;
}

function readText<Job>(text: string, parseJob: (job: unknown) => Job | undefined): ReadText<Job> {
	let file: unknown;
	try {
		file = JSON.parse(text);
	} catch {
		return {
			entries: [],
			why: "damaged",
			lost: "The schedules of this session cannot be read: their file is cut off or damaged.",
		};
	}
	const { version: written, schedules } =
		typeof file === "object" && file !== null ? (file as { version?: unknown; schedules?: unknown }) : {};
	if (typeof written === "number" && written > version) {
		const lost = "The schedules of this session were written by a later version, and are not started by this one.";
		return { entries: [], why: "newer", lost };
	}
	if (written !== version || !Array.isArray(schedules)) {
		return {
			entries: [],
			why: "damaged",
			lost: "The schedules of this session cannot be read: their file is damaged.",
		};
	}
	const read = schedules.map((value) => parseScheduleEntry(value, parseJob));
	const entries = read.filter((entry) => entry !== undefined);
	const bad = read.length - entries.length;
	if (bad === 0) return { entries };
	return { entries, why: "damaged", lost: `${bad} of the ${read.length} schedules of this session cannot be read.` };
}

/** Copies a file under a name that nothing has yet, and returns that. */
async function setAside(path: string, why: string): Promise<string> {
	for (let count = 1; ; count++) {
		const aside = `${path}.${why}-${count}`;
		try {
			await copyFile(path, aside, constants.COPYFILE_EXCL);
			return aside;
		} catch (error) {
			if (!isCode(error, "EEXIST")) throw error;
		}
	}
}

/** After this a crash finds the new content, and before it the old. */
async function replaceFile(folder: string, path: string, text: string): Promise<void> {
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const draft = `${path}.${process.pid}.tmp`;
	try {
		const file = await open(draft, "w", 0o600);
		try {
			await file.writeFile(text);
			await file.sync();
		} finally {
			await file.close();
		}
		await rename(draft, path);
	} catch (error) {
		await rm(draft, { force: true });
		throw error;
	}
	await syncFolder(folder);
}

/** So that the new name is there, too, when the machine loses its power. Not every system can. */
async function syncFolder(folder: string): Promise<void> {
	try {
		const file = await open(folder, "r");
		try {
			await file.sync();
		} finally {
			await file.close();
		}
	} catch {
		// The content is safe; what the name says after a power cut is then up to the file system.
	}
}
