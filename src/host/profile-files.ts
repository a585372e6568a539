import { lstat, readdir, realpath } from "node:fs/promises";
import { basename, isAbsolute, join, relative } from "node:path";
import {
	builtInProfiles,
	type Diagnostic,
	formatDiagnostic,
	type ParsedProfile,
	type Profile,
	parseProfile,
	quote,
	type Yaml,
} from "../profiles/index.ts";
import { readSmallText } from "./read-small-text.ts";

/** The agent profiles of a session, as their files last were. */
export interface ProfileFiles {
	/** The project's, the user's and the built-in ones, in that order; those that are broken or off keep their names. */
	profiles(): readonly Profile[];
	/** What is wrong with the files. */
	diagnostics(): readonly Diagnostic[];
	/** Reads what has changed. Resolves when that is done, whatever was wrong with it; never rejects. */
	refresh(): Promise<void>;
}

/** Where a session's profiles are. */
export interface ProfilePlaces {
	readonly agentDir: string;
	readonly cwd: string;
	/** Nothing of a project that is not trusted is looked at. */
	readonly trusted: boolean;
}

interface Folder {
	readonly path: string;
	readonly source: "project" | "user";
	/** As diagnostics name a file in it. */
	readonly label: (name: string) => string;
	/** Links may not lead out of here. */
	readonly within?: string;
}

/** What is known of one file: its last text, and the last profile that it gave. */
interface Known {
	readonly text: string | undefined;
	readonly parsed: ParsedProfile;
	readonly good: Profile | undefined;
}

interface FolderState {
	readonly files: ReadonlyMap<string, Known>;
	/** What is wrong with the folder as a whole. */
	readonly diagnostics: readonly Diagnostic[];
}

/** More files than anybody keeps. */
const mostFiles = 100;
const nothing: FolderState = { files: new Map(), diagnostics: [] };

/**
 * The profiles below `.pi/agents` and `<agent dir>/agents`. Nothing watches the folders: `refresh` is called where it
 * matters what is in them, reads every file, and parses those whose text is another than before. A file that breaks
 * keeps what it said before.
 */
export function createProfileFiles(places: ProfilePlaces): ProfileFiles {
	const folders = foldersOf(places);
	const states = new Map<Folder, FolderState>();
	let current: Merged = { profiles: builtInProfiles, diagnostics: [] };
	let last: Promise<void> = Promise.resolve();
	let waiting: Promise<void> | undefined;

	async function load(): Promise<void> {
		waiting = undefined;
		for (const folder of folders) {
			const before = states.get(folder) ?? nothing;
			states.set(folder, await readFolder(folder, before).catch((error) => unreadable(folder, before, error)));
		}
		current = merge(folders.map((folder) => [folder, states.get(folder) ?? nothing]));
	}

	return {
		profiles: () => current.profiles,
		diagnostics: () => current.diagnostics,
		refresh: () => {
			// One reading at a time; those who ask while one is under way may have changed what it has read, and share the next.
			waiting ??= last.then(load);
			last = waiting;
			return waiting;
		},
	};
}

function foldersOf({ agentDir, cwd, trusted }: ProfilePlaces): readonly Folder[] {
	const user: Folder = {
		path: join(agentDir, "agents"),
		source: "user",
		label: (name) => join(agentDir, "agents", name),
	};
	const project: Folder = {
		path: join(cwd, ".pi/agents"),
		source: "project",
		label: (name) => `.pi/agents/${name}`,
		within: cwd,
	};
	return trusted ? [project, user] : [user];
}

async function readFolder(folder: Folder, before: FolderState): Promise<FolderState> {
	const names = await profileNames(folder);
	const diagnostics: Diagnostic[] = [];
	if (names.length > mostFiles) {
		const message = `${names.length} profiles, of which the first ${mostFiles} by name are read`;
		diagnostics.push({ file: folder.path, message });
	}
	const files = new Map<string, Known>();
	for (const name of names.slice(0, mostFiles)) {
		const known = await readProfile(folder, name, before.files.get(name));
		if (known !== undefined) files.set(name, known);
	}
	return { files, diagnostics };
}

/** The files that are meant to be profiles. Those that begin with a dot belong to editors. */
async function profileNames(folder: Folder): Promise<readonly string[]> {
	try {
		if (folder.within !== undefined && !(await isWithin(folder.within, folder.path))) {
			throw new Error("it leads out of the project");
		}
		const names = await readdir(folder.path);
		return names.filter((name) => name.endsWith(".md") && !name.startsWith(".")).sort();
	} catch (error) {
		if (codeOf(error) === "ENOENT") return [];
		throw error;
	}
}

/** A folder that cannot be listed keeps what was in it. */
function unreadable(folder: Folder, before: FolderState, error: unknown): FolderState {
	return {
		files: before.files,
		diagnostics: [{ file: folder.label(""), message: `cannot be read: ${reasonOf(error)}` }],
	};
}

/** `undefined` for a file that has gone since its folder was listed. */
async function readProfile(folder: Folder, name: string, before: Known | undefined): Promise<Known | undefined> {
	const file = folder.label(quote(name));
	try {
		const path = join(folder.path, name);
		if (folder.within !== undefined && !(await isWithin(folder.within, path))) {
			throw new Error("it is a link that leads out of the project");
		}
		const text = await readSmallText(path);
		if (before?.text === text) return before;
		const parsed = parseProfile(await loadYaml(), text, { file, stem: basename(name, ".md"), source: folder.source });
		return { text, parsed, good: parsed.profile ?? before?.good };
	} catch (error) {
		if (codeOf(error) === "ENOENT" && !(await isListed(join(folder.path, name)))) return undefined;
		const message = `cannot be read: ${reasonOf(error)}`;
		const parsed = { name: basename(name, ".md"), diagnostics: [{ file, message }] };
		return { text: undefined, parsed, good: before?.good };
	}
}

interface Merged {
	readonly profiles: readonly Profile[];
	readonly diagnostics: readonly Diagnostic[];
}

/** In one folder the first file has the name; a name that stands in several folders is the first folder's, on purpose. */
function merge(states: readonly (readonly [Folder, FolderState])[]): Merged {
	const profiles: Profile[] = [];
	const diagnostics: Diagnostic[] = [];
	for (const [folder, state] of states) {
		diagnostics.push(...state.diagnostics);
		const taken = new Map<string, string>();
		for (const [name, known] of state.files) {
			const file = folder.label(quote(name));
			const { profile, said } = profileOf(folder, file, known);
			const owner = profile && taken.get(profile.name.toLowerCase());
			diagnostics.push(...said);
			if (profile === undefined) continue;
			if (owner !== undefined) {
				diagnostics.push({ file, key: "name", message: `"${profile.name}" is the name of ${owner} already; ignored` });
				continue;
			}
			taken.set(profile.name.toLowerCase(), file);
			profiles.push(profile);
		}
	}
	return { profiles: [...profiles, ...builtInProfiles], diagnostics };
}

/** The profile that a file stands for: what it says, or what it said before, or one that keeps its name from others. */
function profileOf(
	folder: Folder,
	file: string,
	{ parsed, good }: Known,
): { readonly profile?: Profile; readonly said: readonly Diagnostic[] } {
	const { profile, name, diagnostics } = parsed;
	if (profile !== undefined) return { profile, said: diagnostics };
	const [first, ...rest] = diagnostics;
	if (first === undefined) return { said: [] };
	const say = (meanwhile: string): readonly Diagnostic[] => [
		{ ...first, message: `${first.message}. ${meanwhile}` },
		...rest,
	];
	if (good !== undefined) return { profile: good, said: say("Until it is repaired, what it said before is used") };
	if (name === undefined) return { said: say("It is left out") };
	const placeholder: Profile = {
		name,
		description: "",
		systemPrompt: "",
		tools: [],
		broken: formatDiagnostic(first),
		file,
		source: folder.source,
	};
	return { profile: placeholder, said: say(`Until it is repaired, nothing can be started as "${quote(name)}"`) };
}

/** Whether a path lies in a folder once every link on the way has been followed. */
async function isWithin(folder: string, path: string): Promise<boolean> {
	const [root, real] = await Promise.all([realpath(folder), realpath(path)]);
	const way = relative(root, real);
	return way !== ".." && !way.startsWith("../") && !way.startsWith("..\\") && !isAbsolute(way);
}

/** Whether there is still an entry of that name: it may be a link to nothing. */
async function isListed(path: string): Promise<boolean> {
	return lstat(path).then(
		() => true,
		() => false,
	);
}

/** Only when there is a file to read: most sessions never need it. */
async function loadYaml(): Promise<Yaml> {
	return import("yaml");
}

function codeOf(error: unknown): unknown {
	return error instanceof Error && "code" in error ? error.code : undefined;
}

/** The host's own words, without the path, which stands before them already. */
function reasonOf(error: unknown): string {
	if (codeOf(error) === "ENOENT") return "there is nothing behind the link";
	const message = error instanceof Error ? error.message : String(error);
	return quote(message.replace(/, \w+ '.*'$/s, ""), 160);
}
