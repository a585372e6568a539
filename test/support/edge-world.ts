import type { HandOver } from "../../src/operators/index.ts";
import type { TerminalRecord } from "../../src/streams/index.ts";
import { toToolCallId } from "../../src/streams/index.ts";
import {
	createAgentTool,
	createGetSubagentResultTool,
	type ToolAnswer,
	type ToolCall,
	ToolCallAborted,
} from "../../src/tools/index.ts";
import { callOf, promisesRun, type ToolsFixture, toolsFixture } from "../tools/tools-fixture.ts";
import { abortListeners } from "./abort.ts";
import type { EdgeOrder } from "./race.ts";

interface MadeCall {
	readonly abort: AbortController;
	promise?: Promise<unknown>;
	outcome: string;
	readonly updates: string[];
}

/** Takes the steps of one order and says what came of everything: calls, agents and whose the result is. */
export async function takeSteps(steps: EdgeOrder["steps"]): Promise<Readonly<Record<string, string>>> {
	const world = edgeWorld();
	for (const step of steps) {
		if (step === "…") await promisesRun();
		else world.take(step);
	}
	await promisesRun();
	return world.outcome();
}

/**
 * The real tools over the real agents. Steps: a call by its name (`wait 1` and `wait 1 again` are about agent1, `Agent 1`
 * starts it, `background 1` does so in the background, `deaf 1` shows no update), `abort` and its name, `agent1 writes`,
 * `agent1 ends`, `30 seconds pass`, and what the publication does: `the boundary takes it`, `it is committed`, `it is lost`.
 */
function edgeWorld() {
	const fixture = toolsFixture();
	const agentTool = createAgentTool(fixture.deps);
	const resultTool = createGetSubagentResultTool(fixture.deps);
	const calls = new Map<string, MadeCall>();
	const publication = edgePublication(fixture.published);

	function callNamed(name: string): MadeCall {
		const call = calls.get(name) ?? { abort: new AbortController(), outcome: "pending", updates: [] };
		calls.set(name, call);
		return call;
	}
	function made<P>(name: string, params: P): ToolCall<P> {
		const call = callNamed(name);
		return {
			...callOf(params, call.abort.signal),
			toolCallId: toToolCallId(name),
			update: ({ details }) => {
				call.updates.push(`${details.toolCallId}${call.outcome === "pending" ? "" : " after its end"}`);
				if (name.startsWith("deaf")) throw new Error("this host shows nothing");
			},
		};
	}
	function start(name: string): void {
		const call = callNamed(name);
		const [kind, number] = name.split(" ");
		const task = { prompt: "Count.", description: "counts", run_in_background: kind === "background" };
		const promise =
			kind === "wait"
				? resultTool.run(made(name, { agent_id: `agent${number}`, wait: true, timeout_s: 30 }))
				: agentTool.run(made(name, task));
		call.promise = promise.then(
			(answer) => {
				call.outcome = answerWord(answer);
			},
			(error: unknown) => {
				call.outcome = abortWord(error, call.abort.signal);
			},
		);
	}
	function take(step: string): void {
		const [first = "", second = ""] = step.split(" ");
		const agent = Number(/^agent(\d)$/.exec(first)?.[1] ?? 0);
		if (publication.take(step)) return;
		if (first === "abort") callNamed(step.slice("abort ".length)).abort.abort(new Error(step));
		else if (agent > 0 && second === "writes") fixture.run(agent - 1).emit({ type: "turn_started" });
		else if (agent > 0 && second === "ends") fixture.run(agent - 1).end();
		else if (/^\d+ seconds? pass(es)?$/.test(step)) fixture.advance(Number(first) * 1_000);
		else if (/^(wait|Agent|background|deaf) \d( again)?$/.test(step)) start(step);
		else throw new Error(`"${step}" is no step`);
	}

	return {
		take,
		outcome: () => ({
			...Object.fromEntries([...calls].filter(([, call]) => call.promise).map(([name, call]) => [name, call.outcome])),
			...Object.fromEntries(updatesOf(calls)),
			agents:
				fixture.agents
					.list()
					.map(({ status }) => status)
					.join(", ") || "none",
			...(fixture.published.size === 0
				? {}
				: { owner: [...fixture.published.values()].map(({ claim }) => claim.state.kind).join(", ") }),
			...(publication.count() === 0 ? {} : { published: String(publication.count()) }),
			listeners: String([...calls.values()].reduce((sum, { abort }) => sum + abortListeners(abort.signal), 0)),
		}),
	};
}

/** The other side of the first result: what publishes it, and how often that has succeeded. */
function edgePublication(published: ToolsFixture["published"]) {
	let taken: HandOver<TerminalRecord> | undefined;
	let count = 0;
	const steps: Readonly<Record<string, () => void>> = {
		"the boundary takes it": () => {
			taken = [...published.values()][0]?.claim.handOver();
		},
		"it is committed": () => {
			taken?.commit();
			if (taken !== undefined) count++;
		},
		"it is lost": () => taken?.lose(),
	};
	return {
		count: () => count,
		/** Whether that was a step of the publication. */
		take: (step: string): boolean => {
			steps[step]?.();
			return steps[step] !== undefined;
		},
	};
}

function updatesOf(calls: ReadonlyMap<string, MadeCall>): [string, string][] {
	return [...calls].flatMap(([name, { updates }]): [string, string][] =>
		updates.length === 0
			? []
			: [[`updates of ${name}`, `${updates.length}, of ${[...new Set(updates)].join(" and ")}`]],
	);
}

function answerWord({ details, isError }: ToolAnswer): string {
	if (details.kind === "problem") return "refused";
	if (details.kind !== "agent") return details.kind;
	const published = details.published === true ? ", published before" : "";
	return `${details.status}${published}${isError ? ", an error" : ""}`;
}

/** The reason is compared by identity. */
function abortWord(error: unknown, signal: AbortSignal): string {
	if (!(error instanceof ToolCallAborted)) return "another error";
	if (error.name !== "AbortError" || error.cause !== signal.reason) return "another reason";
	return error.details.kind === "agent" ? `AbortError while ${error.details.status}` : "AbortError";
}
