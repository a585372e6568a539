import {
	type ExtensionContext,
	parseArgs,
	resolveModelScopeWithDiagnostics,
	type ScopedModel,
} from "@earendil-works/pi-coding-agent";
import type { ChildEnvironment } from "./child-environment.ts";
import { effectiveSettings, readHostSettings } from "./child-settings.ts";
import { whileActive } from "./host-features.ts";

/** The models that a session is limited to, as `provider/id`; `undefined` where it is not limited. Asked at each call. */
export type ModelScope = () => ReadonlySet<string> | undefined;

/**
 * The scope of a session's models: `--models`, or the setting `enabledModels`. Hosts that tell it are asked each time, since
 * a person can change it. Those that do not, such as 0.81.1, have it read once, where they read it themselves. Rejects
 * never: a scope that cannot be read is none, as it is for the host.
 */
export async function openModelScope(
	ctx: ExtensionContext,
	env: Pick<ChildEnvironment, "argv" | "cwd" | "agentDir" | "projectTrusted" | "modelRuntime">,
): Promise<ModelScope> {
	if ("scopedModels" in ctx) return () => whileActive(() => idsOf(ctx.scopedModels), undefined);
	const patterns = parseArgs([...env.argv]).models ?? effectiveSettings(readHostSettings(env)).enabledModels ?? [];
	if (patterns.length === 0) return () => undefined;
	try {
		const { scopedModels } = await resolveModelScopeWithDiagnostics([...patterns], await env.modelRuntime());
		const ids = idsOf(scopedModels);
		return () => ids;
	} catch {
		return () => undefined;
	}
}

function idsOf(scoped: readonly ScopedModel[]): ReadonlySet<string> | undefined {
	return scoped.length === 0 ? undefined : new Set(scoped.map(({ model }) => `${model.provider}/${model.id}`));
}
