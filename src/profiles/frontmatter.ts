/** More than any profile needs, and little enough that no YAML in it takes long. In characters. */
const longestFrontmatter = 8_192;

/** A profile's two parts, or what keeps it from having them, with the line. */
export type Frontmatter =
	| {
			readonly ok: true;
			/** What stands between the fences: it begins at line 2 of the file. */
			readonly yaml: string;
			/** What stands after them, without the space around it. */
			readonly body: string;
			/** The line of the second fence. */
			readonly endLine: number;
	  }
	| { readonly ok: false; readonly line: number; readonly problem: string };

/** Splits a file at its fences. A byte order mark and the line ends of other systems make no difference. */
export function splitFrontmatter(text: string): Frontmatter {
	const lines = text
		.replace(/^\uFEFF/, "")
		.replace(/\r\n?/g, "\n")
		.split("\n");
	if (!isFence(lines[0])) {
		const problem = text.trim() === "" ? "the file is empty" : "the first line is not ---";
		return { ok: false, line: 1, problem: `${problem}: a profile begins with its fields between two lines of ---` };
	}
	const end = lines.findIndex((line, index) => index > 0 && isFence(line));
	if (end === -1) return { ok: false, line: 1, problem: "no second line of --- ends the fields that begin here" };
	const yaml = lines.slice(1, end).join("\n");
	if (yaml.length > longestFrontmatter) {
		const problem = `the fields have ${yaml.length} characters, and ${longestFrontmatter} is the most; the prompt belongs below the second ---`;
		return { ok: false, line: 1, problem };
	}
	const body = lines
		.slice(end + 1)
		.join("\n")
		.trim();
	return { ok: true, yaml, body, endLine: end + 1 };
}

function isFence(line: string | undefined): boolean {
	return line !== undefined && /^---[ \t]*$/.test(line);
}
