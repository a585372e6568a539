import { type AssistantMessage, fauxProvider, type TranscriptContext } from "@earendil-works/pi-ai";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { lead } from "./scripted/lead.ts";
import { worker } from "./scripted/worker.ts";

/**
 * A Pi extension that offers two models which need no network and no key: `scripted/lead` delegates, `scripted/worker`
 * does what it is told. Everything but the models is real. Try it with `npm start`, or by hand:
 *
 * ```sh
 * pi --extension . --extension examples/scripted-provider.ts --model scripted/lead "Delegate the harbour report."
 * ```
 *
 * `SCRIPTED_TOKENS_PER_SECOND` sets how fast they write, 200 by default.
 */
export default function scriptedProvider(pi: ExtensionAPI): void {
	const faux = fauxProvider({
		provider: "scripted",
		models: [
			{ id: "lead", name: "Scripted lead" },
			{ id: "worker", name: "Scripted worker" },
		],
		tokensPerSecond: Number(process.env.SCRIPTED_TOKENS_PER_SECOND ?? 200),
	});

	async function answer(
		context: TranscriptContext,
		_options: unknown,
		_state: unknown,
		model: { id: string },
	): Promise<AssistantMessage> {
		faux.appendResponses([answer]);
		return model.id === "lead" ? lead(context.messages) : worker(context.messages);
	}
	// A request takes a step when it starts and puts it back a moment later: enough for many that start at once.
	faux.setResponses(Array.from({ length: 64 }, () => answer));
	pi.registerProvider(faux.provider);
}
