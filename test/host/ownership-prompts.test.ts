import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { text } from "../support/chat-reply.ts";
import { ownExtension } from "../support/pi-cli.ts";
import {
	answering,
	deliveries,
	isTask,
	launch,
	newUserTexts,
	notes,
	untilLive,
	untilNoneLive,
	useDelegation,
} from "./extension-fixture.ts";

/** A parent whose turns end at once, whatever it is told. */
const parent = answering({
	start: launch("task"),
	"go on": text("ok"),
	"both this": text("ok"),
	"both that": text("ok"),
	last: text("ok"),
});

describe("a result that goes beside the person's message (seed 000 invariants 17 and 19)", () => {
	it("comes once when two messages are sent at once, of which the host refuses one and says that it has settled", async () => {
		const paired = fileURLToPath(new URL("../support/fixtures/paired-inputs.ts", import.meta.url));
		const { server, pi } = await useDelegation(
			{ parent, child: () => undefined },
			{ extensions: [ownExtension(), paired] },
		);
		const rpc = pi.startRpc();
		await rpc.prompt("start");
		const child = await server.anyRequest(isTask("task"));
		await untilLive(rpc);
		server.answer(() => undefined);
		await rpc.request({ type: "prompt", message: "go on" });
		await rpc.request({ type: "abort" });
		server.answer(parent);
		child.play(text("the answer"));
		await untilNoneLive(rpc);

		const ended = rpc.untilNext((record) => record.type === "agent_end");
		const messages = ["both this", "both that"];
		await Promise.all(messages.map((message) => rpc.ask({ type: "prompt", message, streamingBehavior: "steer" })));
		await ended;
		await rpc.untilHolds(() => rpc.events.at(-1)?.type === "agent_settled", "the session to settle");
		await rpc.prompt("last");
		await rpc.stop();
		expect(notes(rpc.events).map(deliveries)).toEqual([[expect.stringMatching(/#1$/)]]);
		expect(rpc.events.filter(({ type }) => type === "extension_error")).toEqual([]);
		const seen = server.requestsOf("parent").at(-1);
		expect(
			seen?.messages.filter((message) => newUserTexts({ model: "", messages: [message] })[0]?.includes("the answer")),
		).toHaveLength(1);
	});
});
