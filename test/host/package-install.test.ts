import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { text } from "../support/chat-reply.ts";
import { packPackage } from "../support/installed-package.ts";
import type { Pi } from "../support/pi.ts";
import { contentText, toolEnds } from "../support/pi-record.ts";
import { answering, delegate, useDelegation } from "./extension-fixture.ts";

/** What npm needs to know of this machine: where its registry is, how to reach it, and what it has fetched before. */
function npmEnvironment(): Record<string, string> {
	const network = /^(npm_config_\w+|\w*_proxy|node_extra_ca_certs)$/i;
	const inherited = Object.entries(process.env).filter(([name, value]) => network.test(name) && value !== undefined);
	const known = (key: string) => execFileSync("npm", ["config", "get", key], { encoding: "utf8" }).trim();
	return {
		...(Object.fromEntries(inherited) as Record<string, string>),
		npm_config_userconfig: known("userconfig"),
		npm_config_cache: known("cache"),
		npm_config_prefer_offline: "true",
		npm_config_fetch_retries: "0",
	};
}

async function installWithPi(pi: Pi, tarball: string): Promise<void> {
	const { node, args, env } = pi.command();
	const [cli = ""] = args;
	const { PI_OFFLINE: _, ...online } = env;
	try {
		await promisify(execFile)(node, [cli, "install", `npm:pi-rx-orchestrator@file:${tarball}`], {
			cwd: pi.cwd,
			env: { ...online, ...npmEnvironment() },
		});
	} catch (cause) {
		throw new Error("pi could not install the package. This test needs the npm registry, for its dependencies.", {
			cause,
		});
	}
}

it("is installed by pi from its tarball, and then delegates", { timeout: 120_000 }, async () => {
	const packed = packPackage();
	onTestFinished(packed.remove);
	const { server, pi } = await useDelegation(
		{ parent: answering({ delegate: delegate("task") }), child: text("the child's answer") },
		{ extensions: [], session: false },
	);
	await installWithPi(pi, packed.tarball);

	const run = await pi.runJson(["delegate"]);
	expect(run).toMatchObject({ code: 0, stderr: "" });
	const [end] = toolEnds(run.events, "Agent");
	expect(end?.isError).toBe(false);
	expect(contentText(end?.result)).toMatch(/^agent_id: \S+\nstatus: completed\n.*\n\nthe child's answer$/s);
	expect(server.requests.map(({ model }) => model)).toEqual(["parent", "child", "parent"]);
});
