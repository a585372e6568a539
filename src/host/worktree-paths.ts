/** Paths of one folder in a text, to be those of another. */
export interface PathMove {
	/** The folder, in every form in which its path may be written. */
	readonly from: readonly string[];
	readonly to: string;
	/** Stands for `~` at the beginning of a path. */
	readonly home?: string;
}

/** What a path may go on with: a separator, or something that cannot be part of a longer name. */
const end = "(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}_-])";

/** What may stand before a path: not the rest of another one. */
const before = "(?<=^|file://|[^\\p{L}\\p{N}_./~\\\\-])";

/**
 * Rewrites absolute paths in a text that point to a folder or below it, so that they point to the same place in another.
 * Only whole paths: `/repo` is not in `/repo-old`, `/repo.git` or `/other/repo`. Pure.
 */
export function movePaths(text: string, { from, to, home }: PathMove): string {
	const forms = from.flatMap((folder) => {
		const inHome = home !== undefined && folder.startsWith(`${home}/`);
		return inHome ? [folder, `~${folder.slice(home.length)}`] : [folder];
	});
	// The root of everything is in every path.
	const usable = forms.filter((form) => form.replace(/\/+$/, "") !== "").sort((a, b) => b.length - a.length);
	if (usable.length === 0) return text;
	const pattern = new RegExp(`${before}(?:${usable.map(literally).join("|")})${end}`, "gmu");
	return text.replace(pattern, () => to);
}

function literally(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
