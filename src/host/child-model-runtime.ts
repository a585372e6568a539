import { type ModelRegistry, ModelRuntime } from "@earendil-works/pi-coding-agent";

/**
 * The parent's own model runtime, behind its registry: the one place that reaches for that private field. Only it has
 * everything that a child needs: providers and virtual models of other extensions, `--api-key`, and OAuth logins that
 * refresh. Where a host has moved the field, a copy through public calls stands in; it is made once, and does not see
 * what is registered later.
 *
 * ```ts
 * const modelRuntime = parentModelRuntime(ctx.modelRegistry);
 * const model = (await modelRuntime()).getModel("anthropic", "claude-sonnet-4-5");
 * ```
 */
export function parentModelRuntime(registry: ModelRegistry): () => Promise<ModelRuntime> {
	let copy: Promise<ModelRuntime> | undefined;
	return async () => {
		const runtime: unknown = (registry as unknown as { readonly runtime?: unknown }).runtime;
		if (isModelRuntime(runtime)) {
			return runtime;
		}
		copy ??= copyModelRuntime(registry);
		try {
			return await copy;
		} catch (error) {
			copy = undefined;
			throw error;
		}
	};
}

function isModelRuntime(value: unknown): value is ModelRuntime {
	const runtime = value as Partial<ModelRuntime> | null | undefined;
	return typeof runtime?.getModel === "function" && typeof runtime.streamSimple === "function";
}

/** A runtime with the parent's registered providers, and the keys it would use now, an override by `--api-key` included. */
export async function copyModelRuntime(registry: ModelRegistry): Promise<ModelRuntime> {
	const runtime = await ModelRuntime.create({ refreshOnCreate: false });
	for (const id of registry.getRegisteredProviderIds()) {
		const native = registry.getRegisteredNativeProvider(id);
		const config = registry.getRegisteredProviderConfig(id);
		if (native) {
			runtime.registerNativeProvider(native);
		}
		if (config) {
			runtime.registerProvider(id, config);
		}
	}
	for (const provider of new Set(registry.getAvailable().map((model) => model.provider))) {
		const key = await registry.getApiKeyForProvider(provider);
		if (key !== undefined) {
			await runtime.setRuntimeApiKey(provider, key);
		}
	}
	return runtime;
}

/** What would change the runtime for everyone who shares it. */
const changes = /^(un)?register|^(set|remove)RuntimeApiKey$|^log(in|out)$/;

/**
 * The runtime as a child sees it: it reads and streams through the parent's, and changes nothing there. A child loads
 * the parent's extensions a second time, and each of them registers its providers again: those calls do nothing here,
 * because the parent's instance has made them already, with closures that live as long as the parent does.
 */
export function readOnlyModelRuntime(runtime: ModelRuntime): ModelRuntime {
	return new Proxy(runtime, {
		get(target, name) {
			const value: unknown = Reflect.get(target, name, target);
			if (typeof value !== "function") {
				return value;
			}
			if (typeof name === "string" && changes.test(name)) {
				return () => Promise.resolve();
			}
			return value.bind(target);
		},
		set: () => true,
		defineProperty: () => true,
		deleteProperty: () => true,
	});
}
