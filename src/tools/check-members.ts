import type { EffectiveConfig } from "../profiles/effective-config.ts";
import { checkGraph } from "../streams/check-graph.ts";
import { oneLine } from "../streams/plain-text.ts";
import type { ParamProblem } from "./check-params.ts";
import { checkLengths } from "./check-together.ts";
import type { AgentParams, MemberParams } from "./parameters.ts";

/** What a header line can hold and a model can copy. Neither end is a space: nobody would see it. */
const namePattern = /^[A-Za-z0-9_.-](?:[A-Za-z0-9 _.-]{0,62}[A-Za-z0-9_.-])?$/;

/**
 * What is wrong with the members of a crew beyond the schema: names, the graph that they make, texts that are too long.
 * `bad` says what the schema has named already; nothing is said twice.
 */
export function crewProblems(params: AgentParams, bad: ReadonlySet<string>): readonly ParamProblem[] {
	if (params.members === undefined || bad.has("members")) return [];
	const members = Array.from(params.members, (member, index) => ({ member, at: `members[${index}]` })).filter(
		({ at }) => !bad.has(at),
	);
	const problems = members.flatMap(({ member, at }) => [
		...checkName(member.name, `${at}.name`, bad),
		...checkLengths(`${at}.`, member),
	]);
	// A name that stands for nobody would make the rest of the graph look wrong as well.
	const namesAreGood = !params.members.some(
		(_, index) => bad.has(`members[${index}]`) || bad.has(`members[${index}].name`),
	);
	const graphIsGood = ![...bad].some((at) => at.includes(".after"));
	if (!namesAreGood || !graphIsGood || problems.some(({ parameter }) => parameter?.endsWith(".name"))) return problems;
	const graph = members.map(({ member }) => ({ name: member.name, after: member.after ?? [] }));
	return [...problems, ...checkCases(graph.map(({ name }) => name)), ...checkGraph(graph).map((text) => ({ text }))];
}

function checkName(name: string, at: string, bad: ReadonlySet<string>): readonly ParamProblem[] {
	if (bad.has(at) || namePattern.test(name)) return [];
	const what = "1 to 64 letters, digits, spaces, dots, dashes or underscores, without a space at either end";
	return [{ parameter: at, text: `${at} must be ${what}, not "${oneLine(name, 80)}"` }];
}

/** Names that only their case tells apart: in `after`, one would be written for the other. */
function checkCases(names: readonly string[]): readonly ParamProblem[] {
	const first = new Map<string, string>();
	return names.flatMap((name) => {
		const other = first.get(name.toLowerCase());
		if (other === undefined) first.set(name.toLowerCase(), name);
		if (other === undefined || other === name) return [];
		return [{ text: `the members "${other}" and "${name}" differ in case alone; give them names of their own` }];
	});
}

interface ConfiguredMember {
	readonly index: number;
	readonly member: MemberParams;
	readonly effective: EffectiveConfig;
}

/** What keeps members from having what they ask for, each complaint once and with the members that it is about. */
export function checkMembers(members: readonly ConfiguredMember[]): readonly string[] {
	const about = new Map<string, string[]>();
	for (const { index, member, effective } of members) {
		if (effective.ok) continue;
		const name = typeof member?.name === "string" ? `"${oneLine(member.name, 64)}"` : `members[${index}]`;
		for (const problem of effective.problems) about.set(problem, [...(about.get(problem) ?? []), name]);
	}
	// What is wrong with every member stands in the call itself, or might as well.
	return [...about].map(([problem, names]) => {
		if (names.length === members.length) return problem;
		return `${names.length === 1 ? "member" : "members"} ${names.join(", ")}: ${problem}`;
	});
}
