import { closest } from "./closest.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { splitFrontmatter } from "./frontmatter.ts";
import type { Profile } from "./profile.ts";
import { fieldOf, type ProfileField, profileFields } from "./profile-fields.ts";
import { profileName, readField } from "./read-field.ts";
import { quote } from "./wording.ts";
import { readYamlEntries, type Yaml, type YamlEntry } from "./yaml-entries.ts";

/** The file that a text is from. */
export interface ProfilePlace {
	/** As diagnostics name it. */
	readonly file: string;
	/** The file's name without its ending: the profile's name where the text has none. */
	readonly stem: string;
	readonly source: Profile["source"];
}

export interface ParsedProfile {
	/** Absent when the file is broken. */
	readonly profile?: Profile;
	/** The name that the file has or was meant to have, where that can be told. */
	readonly name?: string;
	readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a profile file: YAML between two lines of `---`, and the prompt below. Never throws, and names what is wrong with
 * its line. A value that cannot be used breaks the whole file, since an agent without it would not be the one that was
 * meant; so does a key that is probably a misspelt limit. Other unknown keys are named and ignored.
 */
export function parseProfile(yaml: Yaml, text: string, place: ProfilePlace): ParsedProfile {
	const { file, stem } = place;
	const parts = splitFrontmatter(text);
	if (!parts.ok) return broken(nameIn(text) ?? stem, [{ file, line: parts.line, message: parts.problem }]);
	const { entries, problems } = readYamlEntries(yaml, parts.yaml);
	// The fields begin at the second line of the file.
	const wrong: Diagnostic[] = problems.map(({ line, key, problem }) => ({
		file,
		line: line + 1,
		...(key === undefined ? {} : { key }),
		message: problem,
	}));
	const told: Diagnostic[] = [];
	const values = readValues(entries, file, wrong, told);
	if (entries.length === 0 && wrong.length > 0) return broken(nameIn(parts.yaml) ?? stem, wrong);
	const name = String(values.get("name") ?? stem);
	const need = (isThere: boolean, line: number, key: string | undefined, message: string): void => {
		// A field that is there and wrong has had its complaint.
		if (isThere || (key !== undefined && wrong.some((other) => other.key === key))) return;
		wrong.push({ file, line, ...(key === undefined ? {} : { key }), message });
	};
	need(profileName.test(name), 1, "name", badStem);
	need(values.has("description"), 1, "description", "missing: one line that tells a model what it is for");
	const hasPrompt = parts.body !== "" || values.get("promptMode") === "append";
	need(hasPrompt, parts.endLine, undefined, "no prompt: it stands below the second line of ---");
	if (wrong.length > 0) return broken(name, [...wrong, ...told]);
	const profile = { ...Object.fromEntries(values), name, systemPrompt: parts.body, file, source: place.source };
	// The table has a property of the right type for each key, and the required ones have just been asked for.
	return {
		profile: { tools: "inherit", ...profile } as Profile,
		name,
		diagnostics: told.slice(0, mostDiagnostics),
	};
}

const badStem =
	"the file's name is no name for a profile: give it one of letters, digits, dots, dashes and underscores, or write `name:`";

/** What is said of one file at most: one with a thousand faults is no better known by all of them. */
const mostDiagnostics = 20;

function broken(name: string, all: readonly Diagnostic[]): ParsedProfile {
	const diagnostics = all.slice(0, mostDiagnostics);
	return profileName.test(name) ? { name, diagnostics } : { diagnostics };
}

/** What a text that is no YAML seems to call itself, so that nothing else gets the name meanwhile. */
function nameIn(yaml: string): string | undefined {
	const [, name] = /^name:[ \t]*["']?([\w.-]+)/m.exec(yaml) ?? [];
	return name !== undefined && profileName.test(name) ? name : undefined;
}

function readValues(
	entries: readonly YamlEntry[],
	file: string,
	wrong: Diagnostic[],
	told: Diagnostic[],
): ReadonlyMap<ProfileField["property"], unknown> {
	const values = new Map<ProfileField["property"], unknown>();
	for (const entry of entries) {
		const at = { file, line: entry.line + 1 };
		const field = fieldOf(entry.key);
		if (field === undefined) {
			const { guards, message } = unknownKey(entry.key);
			(guards ? wrong : told).push({ ...at, key: quote(entry.key), message });
			continue;
		}
		if (!entry.read.ok) {
			wrong.push({ file, line: entry.read.line + 1, key: field.key, message: entry.read.problem });
			continue;
		}
		const read = readField(field, entry.read.value);
		if (!read.ok) {
			wrong.push({ ...at, key: field.key, message: read.problem });
			continue;
		}
		if (read.value === undefined) continue;
		values.set(field.property, read.value);
		if (field.effect(read.value) !== "used") told.push({ ...at, key: field.key, message: notInEffect });
	}
	return values;
}

const notInEffect = "not in effect yet: this version reads it, and it changes nothing";

function unknownKey(key: string): { readonly guards: boolean; readonly message: string } {
	const keys = profileFields.map((field) => field.key);
	const hint = closest(key, keys);
	if (hint === undefined) return { guards: false, message: `unknown key; there are: ${keys.join(", ")}. Ignored` };
	const question = `unknown key; did you mean "${hint}"?`;
	if (!fieldOf(hint)?.guards) return { guards: false, message: `${question} Ignored` };
	return {
		guards: true,
		message: `${question} An agent without that could get more than meant, so the file is not used`,
	};
}
