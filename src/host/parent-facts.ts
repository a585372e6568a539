import { getSupportedThinkingLevels } from "@earendil-works/pi-ai";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { ParentFacts } from "../profiles/index.ts";

/** What the parent session is like at this moment. */
export function readParentFacts(pi: ExtensionAPI, ctx: ExtensionContext): ParentFacts {
	const { model } = ctx;
	return {
		model: model && `${model.provider}/${model.id}`,
		thinking: pi.getThinkingLevel(),
		activeTools: pi.getActiveTools(),
		models: ctx.modelRegistry.getAvailable().map((available) => ({
			id: `${available.provider}/${available.id}`,
			thinkingLevels: getSupportedThinkingLevels(available),
		})),
	};
}
