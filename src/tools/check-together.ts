import type { ParamProblem } from "./check-params.ts";
import { agentParameters } from "./parameters.ts";

/** Each with those that it does not go with. */
const apart: readonly (readonly [one: string, others: readonly string[]])[] = [
	["swarm", ["members"]],
	["resume", ["swarm", "members", "schedule", "inherit_context", "isolation", "estimate_only"]],
	["schedule", ["inherit_context"]],
];

/** The longest text that each parameter of a call, or of one of its members, may be: more is a mistake, and would be sent. */
export const longestText = {
	prompt: 200_000,
	description: 1_000,
	subagent_type: 200,
	model: 200,
	schedule: 200,
} as const;

/** What does not go together in a call of `Agent`, and what is longer than it can sensibly be. */
export function checkTogether(params: object): readonly ParamProblem[] {
	const given = new Map<string, unknown>(Object.entries(params).filter(([name, value]) => isAskedFor(name, value)));
	const pairs = apart.flatMap(([one, others]) =>
		given.has(one) ? others.filter((other) => given.has(other)).map((other) => `${one} does not go with ${other}`) : [],
	);
	// It says no, and so is something that is there.
	const inFront = "run_in_background" in params && params.run_in_background === false;
	if (given.has("schedule") && inFront) pairs.push("schedule does not go with run_in_background: false");
	return [...pairs.map((text) => ({ text })), ...checkLengths("", params)];
}

/** The texts of an object that are too long; `prefix` is what their names are put behind. */
export function checkLengths(prefix: string, params: object): readonly ParamProblem[] {
	return Object.entries(params).flatMap(([name, value]) => {
		const limit = Object.hasOwn(longestText, name) ? longestText[name as keyof typeof longestText] : undefined;
		if (limit === undefined || typeof value !== "string" || value.length <= limit) return [];
		const parameter = prefix + name;
		return [{ parameter, text: `${parameter} must have at most ${limit} characters, not ${value.length}` }];
	});
}

/** A parameter that the schema does not know is named as such, and as nothing else. */
function isAskedFor(name: string, value: unknown): boolean {
	return Object.hasOwn(agentParameters.properties, name) && value !== undefined && value !== false;
}
