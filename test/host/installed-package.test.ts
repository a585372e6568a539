import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hostPackages } from "../../scripts/lib/host-packages.ts";
import { text } from "../support/chat-reply.ts";
import { toolNames } from "../support/chat-request.ts";
import { type InstalledPackage, installPackage } from "../support/installed-package.ts";
import { repositoryRoot } from "../support/pi-cli.ts";
import { useOpenAiServer } from "../support/use-openai-server.ts";
import { usePi } from "../support/use-pi.ts";

let installed: InstalledPackage;

beforeAll(() => {
	installed = installPackage();
});

afterAll(() => {
	installed.remove();
});

/**
 * A copy of Pi in the package's reach, as another extension's mistaken dependencies bring it; it says when it is loaded.
 * TypeBox is there too: with one import that Node cannot resolve, Pi would have to transform the file after all.
 */
function putStrayPi(): void {
	const scope = join(installed.project, "node_modules/@sinclair");
	mkdirSync(scope);
	symlinkSync(join(repositoryRoot, "node_modules/@sinclair/typebox"), join(scope, "typebox"));
	for (const name of hostPackages) {
		const folder = join(installed.project, "node_modules/@earendil-works", name);
		const real = join(repositoryRoot, "node_modules/@earendil-works", name, "dist/index.js");
		mkdirSync(folder, { recursive: true });
		writeFileSync(join(folder, "package.json"), '{ "type": "module", "exports": "./index.js" }');
		writeFileSync(join(folder, "index.js"), `console.error("stray copy of ${name}"); export * from "file://${real}";`);
	}
}

/** What the tools of the session are called that Pi starts with the installed package. */
async function toolsOfSession(): Promise<{ readonly tools: readonly string[]; readonly stderr: string }> {
	const server = await useOpenAiServer(() => text("done"));
	const pi = usePi({ baseUrl: server.baseUrl, extensions: [installed.folder], session: false });
	const run = await pi.runPrint(["hello"]);
	expect(run).toMatchObject({ code: 0, stdout: "done\n" });
	const [request] = server.requestsOf("parent");
	return { tools: request === undefined ? [] : toolNames(request), stderr: run.stderr };
}

const ours = ["Agent", "get_subagent_result", "steer_subagent"];

it("is loaded by Pi from its bundle, without its sources", async () => {
	const { tools, stderr } = await toolsOfSession();

	expect(tools).toEqual(expect.arrayContaining(ours));
	expect(stderr).toBe("");
});

it("reads profile files with the YAML that is in its bundle", async () => {
	const server = await useOpenAiServer(() => text("done"));
	const agentFiles = { "agents/reviewer.md": "---\ndescription: Reviews a change.\n---\nReview it." };
	const pi = usePi({ baseUrl: server.baseUrl, extensions: [installed.folder], session: false, agentFiles });
	expect(await pi.runPrint(["hello"])).toMatchObject({ code: 0, stderr: "" });
	expect(JSON.stringify(server.requestsOf("parent")[0]?.tools)).toContain("- reviewer: Reviews a change.");
});

it("works with the Pi that loads it, whatever other copy is in reach", async () => {
	putStrayPi();
	const { tools, stderr } = await toolsOfSession();

	expect(tools).toEqual(expect.arrayContaining(ours));
	expect(stderr).toBe("");
});
