import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { text } from "../support/chat-reply.ts";
import { toolNames } from "../support/chat-request.ts";
import { ownExtension } from "../support/pi-cli.ts";
import { contentText, toolEnds } from "../support/pi-record.ts";
import { answering, delegate, useDelegation } from "./extension-fixture.ts";

it("an extension that a link leads to knows its own tools, and its agents have none of them", async () => {
	const { server, pi } = await useDelegation(
		{ parent: answering({ go: delegate("task") }), child: text("done") },
		{ extensions: [], session: false },
	);
	mkdirSync(join(pi.agentDir, "extensions"));
	symlinkSync(dirname(ownExtension()), join(pi.agentDir, "extensions/orchestrator"));
	const rpc = pi.startRpc();
	await rpc.prompt("go");
	expect(contentText(toolEnds(rpc.events, "Agent")[0]?.result)).toContain("status: completed");
	const [request] = server.requestsOf("child");
	expect(request && toolNames(request)).toEqual(expect.arrayContaining(["read"]));
	expect(request && toolNames(request)).not.toContain("Agent");
	expect(rpc.events.filter(({ method }) => method === "notify")).toEqual([]);
});
