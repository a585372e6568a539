import { createPrng, type Prng } from "./prng.ts";
import type {
	AgentCall,
	Call,
	ChildEnd,
	ChildManners,
	CrewMember,
	HostManners,
	ResultCall,
	Script,
	Step,
} from "./script.ts";

/** The script of a seed: `size` steps, about two thirds of them calls of tools. */
export function generateScript(seed: number, size: number): Script {
	const random = createPrng(seed);
	const host = hostManners(random);
	const interleave = random.chance(0.8) ? 1 + random.below(2 ** 30) : 0;
	const steps = Array.from({ length: size }, () => step(random));
	return { seed, host, interleave, steps };
}

/** How many steps a seed's script has: mostly short ones, and some long. */
export function sizeOf(seed: number): number {
	const random = createPrng(~seed);
	return random.chance(0.05) ? 100 + random.below(60) : 8 + random.below(40);
}

function hostManners(random: Prng): HostManners {
	return {
		maxConcurrent: 1 + random.below(4),
		...maybe(random, 0.2, () => ({ maxAgents: 2 + random.below(6) })),
		...maybe(random, 0.3, () => ({ maxZombies: random.below(3) })),
		...maybe(random, 0.25, () => ({ followUp: true as const })),
		...maybe(random, 0.3, () => ({ texts: random.pick(["slow", "never", "fails"]) })),
		...maybe(random, 0.2, () => ({ muted: true as const })),
		...maybe(random, 0.3, () => ({ join: "each" as const })),
		...maybe(random, 0.2, () => ({ maxDepth: 1 + random.below(2) })),
	};
}

/** Times are multiples of 5, so that many things fall on one instant. */
function time(random: Prng): number {
	return 5 * random.below(random.pick([1, 3, 8, 30]));
}

function step(random: Prng): Step {
	const after = random.chance(0.05) ? 1_000 * (1 + random.below(12)) : time(random);
	return { ...(after === 0 ? {} : { after }), ...happening(random) };
}

function happening(random: Prng): Step {
	const chance = random.below(100);
	if (chance < 70) return { do: "calls", calls: batch(random) };
	if (chance < 74) {
		return { do: "settle", ...maybe(random, 0.4, () => ({ dropped: random.pick(["entries", "entries_and_run"]) })) };
	}
	if (chance < 76) return { do: "fail" };
	if (chance < 80) return { do: "esc" };
	if (chance < 84) {
		return {
			do: "say",
			...maybe(random, 0.5, () => ({ handlers: time(random) })),
			...maybe(random, 0.4, () => ({ ends: random.pick(["swallowed", "refused", "note_dropped"]) })),
		};
	}
	if (chance < 86) return { do: "dialog", lasts: time(random) };
	if (chance < 88)
		return { do: "compact", lasts: time(random), ...maybe(random, 0.2, () => ({ silent: true as const })) };
	if (chance < 91) return { do: "stop", agents: random.chance(0.7) ? [back(random)] : [0, 1, 2] };
	if (chance < 94) return { do: "resume", agent: back(random), ...child(random) };
	if (chance < 96) return { do: "limit", to: random.below(5) };
	if (chance < 98) return { do: "next_wake", is: random.pick(["refused", "throws", "lost", "fails"]) };
	return {
		do: "replace",
		...maybe(random, 0.3, () => ({ muted: true as const })),
		...maybe(random, 0.5, () => ({ aborts: true as const })),
		...maybe(random, 0.5, () => ({ pause: time(random) })),
	};
}

/** `depth`: 0 for the session's own calls, 1 for those of its agents. */
function batch(random: Prng, depth = 0): readonly Call[] {
	const most = depth === 0 ? random.pick([1, 2, 4]) : 2;
	return Array.from({ length: 1 + random.below(most) }, () => call(random, depth));
}

function call(random: Prng, depth: number): Call {
	const chance = random.below(100);
	const common = {
		...maybe(random, 0.2, () => ({ abort: random.chance(0.1) ? ("before" as const) : time(random) })),
		...maybe(random, 0.03, () => ({ bad: true as const })),
	};
	if (chance < 70) return { tool: "Agent", ...common, ...agentCall(random, depth) };
	if (chance < 90) return { tool: "get_subagent_result", ...common, ...resultCall(random) };
	return { tool: "steer_subagent", ...common, agent: back(random) };
}

function agentCall(random: Prng, depth: number): Omit<AgentCall, "tool"> {
	return {
		...maybe(random, 0.7, () => ({ background: true as const })),
		...maybe(random, 0.15, () => ({ maxTurns: 1 + random.below(3) })),
		...maybe(random, 0.04, () => ({ abort: random.pick(["spawn", "update"]) })),
		...maybe(random, 0.05, () => ({ updates: "throw" as const })),
		...(random.chance(0.15) ? group(random, depth) : child(random, depth)),
	};
}

/** Two to four members; in a crew some wait for others, whichever of them comes first in the list. */
function group(random: Prng, depth: number): Pick<AgentCall, "crew" | "swarm"> {
	const size = 2 + random.below(3);
	if (random.chance(0.3)) return { swarm: true, crew: Array.from({ length: size }, () => child(random, depth)) };
	const backwards = random.chance(0.3);
	const crew = Array.from({ length: size }, (_, index): CrewMember => {
		const earlier = Array.from({ length: index }, (_none, other) => other).filter(() => random.chance(0.4));
		const after = backwards ? earlier.map((other) => size - 1 - other) : earlier;
		return { ...child(random, depth), ...(after.length === 0 ? {} : { after }) };
	});
	return { crew: backwards ? crew.reverse() : crew };
}

function resultCall(random: Prng): Omit<ResultCall, "tool"> {
	return {
		agent: back(random),
		...maybe(random, 0.5, () => ({ group: true as const })),
		...maybe(random, 0.7, () => ({ wait: true as const })),
		...maybe(random, 0.3, () => ({ timeout: 1 + random.below(3) })),
		...maybe(random, 0.15, () => ({ verbose: true as const })),
	};
}

function child(random: Prng, depth = 0): { child?: ChildManners } {
	if (random.chance(0.2)) return {};
	const manners: ChildManners = {
		...maybe(random, 0.3, () => ({ ready: random.chance(0.1) ? ("never" as const) : time(random) })),
		...maybe(random, 0.3, () => ({ turns: random.below(6) })),
		...maybe(random, 0.5, () => ({ pace: time(random) })),
		...maybe(random, 0.3, () => ({ ends: random.pick<ChildEnd>(childEnds) })),
		...maybe(random, 0.4, () => ({ closing: time(random) })),
		...maybe(random, 0.4, () => ({
			stopped: random.chance(0.2) ? random.pick(["deaf", "late"]) : { settle: time(random), close: time(random) },
		})),
		...maybe(random, 0.15, () => ({ talksOn: true as const })),
		...maybe(random, 0.04, () => ({ long: true as const })),
		...maybe(random, [0.15, 0.3, 0.3, 0][depth] ?? 0, () => ({
			own: Array.from({ length: 1 + random.below(2) }, () => batch(random, depth + 1)),
		})),
	};
	return { child: manners };
}

const childEnds = [
	"empty",
	"truncated",
	"provider_error",
	"hangs",
	"hangs",
	"errors",
	"vanishes",
	"throws",
	"settles_twice",
	"closes_first",
] as const;

/** Mostly one of the newest. */
function back(random: Prng): number {
	return random.below(random.pick([1, 2, 4, 12]));
}

function maybe<T extends object>(random: Prng, probability: number, make: () => T): T | Record<never, never> {
	return random.chance(probability) ? make() : {};
}
