import { listWords } from "./wording.ts";

/**
 * What a project's file may do to a setting of the user's.
 * - `lower`: the value is a limit; the project may make it smaller.
 * - `off`: something that shows what was said or done to others; the project may only switch it off.
 * - `gates`: which extensions watch over a child's calls; the project may add some, never take one away.
 * - `free`: a preference; the project may choose.
 * - `user`: governs what all projects share; only the user's file counts.
 */
export type ProjectRule = "lower" | "off" | "gates" | "free" | "user";

/** Why a project may not set this value over the current one; `undefined` when it may. */
export function tighten(rule: ProjectRule, current: unknown, proposed: unknown): string | undefined {
	if (isSame(current, proposed)) return undefined;
	switch (rule) {
		case "free":
			return undefined;
		case "user":
			return "only the user's own settings can change this";
		case "off":
			if (proposed === false || proposed === "off") return undefined;
			return `a project can only switch this off, and it is ${JSON.stringify(current)}`;
		case "lower":
			// An absent limit is no limit, so any limit is tighter.
			if (current === undefined || (proposed as number) < (current as number)) return undefined;
			return `a project can only lower this limit, and it is ${String(current)} already`;
		case "gates":
			return tightenGates(current, proposed);
	}
}

function tightenGates(current: unknown, proposed: unknown): string | undefined {
	if (proposed === "inherit" || current === "none") return undefined;
	if (current === "inherit") return "a project cannot keep any of the user's extensions out of a child";
	const missing = (current as readonly string[]).filter((name) => !(proposed as readonly string[]).includes(name));
	if (proposed !== "none" && missing.length === 0) return undefined;
	return `a project can only add extensions, and ${listWords(missing)} would be missing`;
}

function isSame(a: unknown, b: unknown): boolean {
	return JSON.stringify(a) === JSON.stringify(b);
}
