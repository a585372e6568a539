import { basename, dirname, extname, sep } from "node:path";

/** What the host tells about where a tool comes from. */
interface ToolSource {
	readonly path: string;
	/** `auto` and `cli` for files, `npm:…` and `git:…` for packages. */
	readonly source: string;
}

/** Folders and files that say nothing about an extension: the folder above has its name. */
const nameless = new Set(["index", "main", "extension", "extensions", "src", "dist", "lib", "build"]);

/**
 * What the extension of a tool is called: the name of its file, or of its folder where the file has none of its own; of a
 * package, its name, whole and without its scope; of an MCP server's tool, the server's name. Pure.
 */
export function extensionNames(tool: string, { path, source }: ToolSource): readonly string[] {
	const names = new Set<string>();
	const [, server] = /^mcp__(.+?)__/.exec(tool) ?? [];
	if (server !== undefined) names.add(server);
	const [, synthetic] = /^(?:builtin:|<[\w-]+:)([^>]+)>?$/.exec(path) ?? [];
	names.add(synthetic ?? fileName(path));
	const [, spec] = /^(?:npm|git|github|https?|ssh):(.+)$/.exec(source) ?? [];
	if (spec !== undefined) {
		const whole = spec.replace(/(?<=.)@[^/@]*$/, "").replace(/\.git$/, "");
		names.add(whole);
		names.add(whole.slice(whole.lastIndexOf("/") + 1));
	}
	return [...names].filter((name) => name !== "");
}

function fileName(path: string): string {
	let name = basename(path, extname(path));
	let folder = dirname(path);
	while (nameless.has(name) && folder !== sep && folder !== ".") {
		name = basename(folder);
		folder = dirname(folder);
	}
	return name;
}
