import { getSupportedThinkingLevels } from "@earendil-works/pi-ai";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import {
	builtInTools,
	type ExtensionTool,
	type ModelRates,
	orchestrationTools,
	type ParentFacts,
} from "../profiles/index.ts";
import { extensionNames } from "./extension-names.ts";
import { inheritableEntries } from "./inherited-conversation.ts";
import type { ModelScope } from "./model-scope.ts";

/** What the parent session is like at this moment. */
export function readParentFacts(pi: ExtensionAPI, ctx: ExtensionContext, scope: ModelScope): ParentFacts {
	const own = ctx.model && `${ctx.model.provider}/${ctx.model.id}`;
	const ids = scope();
	const available = ctx.modelRegistry.getAvailable().map((model) => ({ id: `${model.provider}/${model.id}`, model }));
	const isInScope = ({ id }: { readonly id: string }) => ids === undefined || id === own || ids.has(id);
	return {
		model: own,
		thinking: pi.getThinkingLevel(),
		activeTools: pi.getActiveTools(),
		extensionTools: () => extensionToolsOf(pi),
		models: available.filter(isInScope).map(({ id, model }) => ({
			id,
			thinkingLevels: getSupportedThinkingLevels(model),
			rates: ratesOf(model.cost),
		})),
		modelsOutOfScope: available.filter((one) => !isInScope(one)).map(({ id }) => id),
		projectTrusted: ctx.isProjectTrusted(),
		systemPrompt: () => ctx.getSystemPrompt(),
		conversation: () => inheritableEntries(ctx.sessionManager.getBranch()),
		conversationTokens: () => ctx.getContextUsage()?.tokens ?? undefined,
		toolSize: (name) => toolSize(pi, name),
	};
}

/** The tools of other extensions that the session has, and what those are called. */
export function extensionToolsOf(pi: ExtensionAPI): readonly ExtensionTool[] {
	return pi.getAllTools().flatMap(({ name, sourceInfo, reachesTools }) => {
		// An extension may have put its own in the place of one of these.
		const isHosts = builtInTools.includes(name) && sourceInfo.source === "builtin";
		if (isHosts || orchestrationTools.includes(name)) return [];
		const reaches = reachesTools === undefined ? {} : { reaches: true as const };
		return { name, extensions: extensionNames(name, sourceInfo), ...reaches };
	});
}

function ratesOf({ input, output, cacheRead, cacheWrite }: ModelRates): ModelRates {
	return { input, output, cacheRead, cacheWrite };
}

/** What of a tool stands in each request, in characters. */
function toolSize(pi: ExtensionAPI, name: string): number | undefined {
	const tool = pi.getAllTools().find((known) => known.name === name);
	if (tool === undefined) return undefined;
	return JSON.stringify({ name, description: tool.description, parameters: tool.parameters }).length;
}
