import { byCloseness } from "./closest.ts";
import { listWords, quote } from "./wording.ts";

/** A tool that an extension of the parent's session has registered, active or not. */
export interface ExtensionTool {
	readonly name: string;
	/** What its extension is called, in each way in which a profile may call it. */
	readonly extensions: readonly string[];
	/** Whether it calls other tools by itself, as one that runs scripts does: whoever has it has those. */
	readonly reaches?: true;
}

/** `ext:web/search`, or `ext:web/*` for whatever that extension has. The extension's name may have slashes. */
export interface ToolReference {
	readonly extension: string;
	/** `undefined` for all. */
	readonly tool: string | undefined;
}

/** What a name in a list of tools refers to; `undefined` for a plain name. */
export function parseToolReference(name: string): ToolReference | undefined {
	const [, extension, tool] = /^ext:(.+)\/([^/]+)$/i.exec(name) ?? [];
	if (extension === undefined || tool === undefined) return undefined;
	return { extension, tool: tool === "*" ? undefined : tool };
}

/** Whether a tool is of the extension and has the name that a reference says. Case does not matter. */
export function refersTo({ extension, tool }: ToolReference, known: ExtensionTool): boolean {
	return isOf(known, extension) && (tool === undefined || namesOf(known).some((name) => isSame(name, tool)));
}

/** Whether a tool is of the extension of that name. */
export function isOf({ extensions }: ExtensionTool, extension: string): boolean {
	return extensions.some((name) => isSame(name, extension));
}

/** What is wrong with a reference to which no tool fits, with what there is instead. */
export function referenceProblem({ extension, tool }: ToolReference, known: readonly ExtensionTool[]): string {
	const own = known.filter((one) => isOf(one, extension));
	if (own.length === 0) {
		const names = new Set(known.flatMap(({ extensions }) => extensions));
		const there = listWords(byCloseness(extension, [...names]));
		return `no extension "${quote(extension)}" has tools in this session; there are: ${there}`;
	}
	const tools = listWords(
		byCloseness(
			tool ?? "",
			own.map(({ name }) => name),
		),
	);
	return `the extension "${quote(extension)}" has no tool "${quote(tool ?? "*")}" in this session; it has: ${tools}`;
}

/** The name as the host has it, and for a tool of an MCP server also the name that it has there. */
function namesOf({ name }: ExtensionTool): readonly string[] {
	const [, short] = /^mcp__.+?__(.+)$/.exec(name) ?? [];
	return short === undefined ? [name] : [name, short];
}

function isSame(one: string, other: string): boolean {
	return one.toLowerCase() === other.toLowerCase();
}
