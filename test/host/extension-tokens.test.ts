import { expect, it } from "vitest";
import { text } from "../support/chat-reply.ts";
import { toolNames } from "../support/chat-request.ts";
import { useOpenAiServer } from "../support/use-openai-server.ts";
import { usePi } from "../support/use-pi.ts";

it("adds at most 1,000 tokens to a request, at four characters a token", async () => {
	const server = await useOpenAiServer(() => text("done"));
	const without = usePi({ baseUrl: server.baseUrl, extensions: [], session: false });
	const withIt = usePi({ baseUrl: server.baseUrl, session: false });
	await Promise.all([without.runPrint(["hello"]), withIt.runPrint(["hello"])]);
	const [small, large, ...more] = [...server.requests].sort((a, b) => toolNames(a).length - toolNames(b).length);
	expect(more).toEqual([]);
	expect(small && toolNames(small)).not.toContain("Agent");
	expect(large && toolNames(large)).toEqual(expect.arrayContaining(["Agent", "get_subagent_result", "steer_subagent"]));
	const added = JSON.stringify(large).length - JSON.stringify(small).length;
	// A home's path has the same length in both.
	expect(added / 4).toBeLessThanOrEqual(1_000);
	expect(added).toBeGreaterThan(0);
});
