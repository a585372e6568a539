import { type ExtensionContext, VERSION } from "@earendil-works/pi-coding-agent";

/** What differs between the Pi versions that this extension runs on. Asked here and nowhere else. */
export interface HostFeatures {
	/** `agent_before_settle`: a result can be appended before a run settles. Since 0.87.0. */
	readonly boundary: boolean;
	/** A returned `isError` is honoured. Since 0.99.0; before, the `tool_result` hook has to set it. */
	readonly returnedIsError: boolean;
	/** A shell command has the session's id and file in its environment. Since 0.82.0. */
	readonly shellKnowsSession: boolean;
}

/** The features of a host version; of the running one by default. */
export function hostFeatures(version: string = VERSION): HostFeatures {
	return {
		boundary: isAtLeast(version, [0, 87, 0]),
		returnedIsError: isAtLeast(version, [0, 99, 0]),
		shellKnowsSession: isAtLeast(version, [0, 82, 0]),
	};
}

function isAtLeast(version: string, wanted: readonly number[]): boolean {
	const parts = version.split(/[.-]/).map(Number);
	for (const [index, part] of wanted.entries()) {
		const have = parts[index] ?? 0;
		if (have !== part) return have > part;
	}
	return true;
}

/**
 * Runs something that touches a context which may have been replaced since it was captured. A stale context throws from
 * every getter, for ever: then the fallback stands.
 */
export function whileActive<T>(touch: () => T, fallback: T): T {
	try {
		return touch();
	} catch {
		return fallback;
	}
}

/** Whether there is a person to show things to. */
export function hasUi(ctx: ExtensionContext): boolean {
	return whileActive(() => ctx.hasUI, false);
}
