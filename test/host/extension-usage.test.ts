import { describe, expect, it } from "vitest";
import { text } from "../support/chat-reply.ts";
import type { ChatHandler } from "../support/openai-server.ts";
import { toolEnds } from "../support/pi-record.ts";
import type { PiRpc } from "../support/pi-rpc.ts";
import {
	answering,
	delegate,
	isTask,
	launch,
	promptUntilCall,
	read,
	untilPublished,
	useDelegation,
} from "./extension-fixture.ts";

const usage = { input: 1_000, output: 100, cacheRead: 10 };
const parentUsage = { input: 3, output: 2 };

interface Stats {
	readonly tokens: { readonly input: number; readonly output: number; readonly cacheRead: number };
	readonly cost: number;
}

const stats = async (rpc: PiRpc) => (await rpc.request({ type: "get_session_stats" })).data as Stats;

/** The same parent, every request of which is counted alike. */
function counted(script: ChatHandler): ChatHandler {
	return async (request, exchange) => {
		const reply = await script(request, exchange);
		return reply?.kind === "stream" ? { ...reply, usage: parentUsage } : reply;
	};
}

describe("what agents spend (seed 000 §17 Success, structured details)", () => {
	it("stands once in the parent's statistics, be they in the foreground, waited for or published", async () => {
		const script = answering({
			delegate: delegate("in front"),
			start: launch("waited for", "published"),
			wait: read([1], { wait: true }),
			"look again": read([2]),
		});
		const { server, pi } = await useDelegation({
			parent: counted(script),
			child: (request) => (isTask("in front")(request) ? text("done", { usage }) : undefined),
		});
		const rpc = pi.startRpc();
		const spent = () => {
			const [parents, children] = ["parent", "child"].map(
				(model) => server.log.filter((e) => e.type === "finished" && e.exchange.request.model === model).length,
			) as [number, number];
			return {
				input: parents * parentUsage.input + children * usage.input,
				output: parents * parentUsage.output + children * usage.output,
				cacheRead: children * usage.cacheRead,
			};
		};
		await rpc.prompt("delegate");
		expect((await stats(rpc)).tokens).toMatchObject(spent());
		await rpc.prompt("start");
		await promptUntilCall(rpc, "wait", "get_subagent_result");
		const settled = rpc.untilNext((record) => record.type === "agent_settled");
		(await server.anyRequest(isTask("waited for"))).finish("stop", usage);
		await settled;
		expect((await stats(rpc)).tokens).toMatchObject(spent());

		(await server.anyRequest(isTask("published"))).finish("stop", usage);
		await untilPublished(rpc);
		await rpc.prompt("look again");
		await rpc.prompt("look again");
		const { tokens, cost } = await stats(rpc);
		const { input, output, cacheRead } = spent();
		expect(tokens).toMatchObject({ input, output, cacheRead });
		expect(cost).toBeCloseTo((input * 1 + output * 2 + cacheRead * 0.1) / 1_000_000, 10);
		expect(toolEnds(rpc.events).filter((end) => end.result?.usage !== undefined)).toHaveLength(3);
	});
});
