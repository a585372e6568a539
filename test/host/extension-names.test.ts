import { expect, it } from "vitest";
import { extensionNames } from "../../src/host/extension-names.ts";

it.each<[what: string, path: string, source: string, names: readonly string[]]>([
	["a file", "/home/.pi/agent/extensions/web-search.ts", "auto", ["web-search"]],
	["a folder with an index", "/home/.pi/agent/extensions/web/index.ts", "auto", ["web"]],
	["a folder with sources", "/project/web/src/index.ts", "cli", ["web"]],
	["a folder whose name is a kind of folder", "/extensions/index.ts", "cli", ["extensions"]],
	["a package", "/agent/npm/node_modules/pi-web/dist/main.js", "npm:pi-web@1.2.3", ["pi-web"]],
	["a package with a scope", "/npm/node_modules/@acme/web/index.js", "npm:@acme/web@^1.0.0", ["web", "@acme/web"]],
	["a package without a version", "/npm/node_modules/@acme/web/index.js", "npm:@acme/web", ["web", "@acme/web"]],
	["a repository", "/git/web/x.ts", "git:github.com/acme/web.git", ["x", "github.com/acme/web", "web"]],
	["the host's own", "builtin:codemode", "builtin", ["codemode"]],
	["an extension without a file", "<inline:gate>", "inline", ["gate"]],
])("a tool's extension is called by the name of %s", (_what, path, source, names) => {
	expect([...extensionNames("search", { path, source })].sort()).toEqual([...names].sort());
});

it("a tool of an MCP server is called by the server's name, too", () => {
	expect(extensionNames("mcp__my_docs__look__up", { path: "builtin:mcp", source: "builtin" })).toEqual([
		"my_docs",
		"mcp",
	]);
});
