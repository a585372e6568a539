import type { Call, CrewMember } from "./script.ts";

/** What the model writes for a call: sometimes right, sometimes wrong in one way or another. */
export function paramsOf(call: Call, id: string, agentId: string, variety: number): unknown {
	switch (call.tool) {
		case "Agent": {
			const { background, maxTurns, crew, swarm } = call;
			const right = {
				prompt: id,
				description: `task of ${id}`,
				...(background === undefined ? {} : { run_in_background: true }),
				...(maxTurns === undefined ? {} : { max_turns: maxTurns }),
				...(crew === undefined ? {} : swarm ? { swarm: crew.length } : { members: crew.map(member) }),
			};
			return call.bad ? pickBad(badAgent(right), variety) : right;
		}
		case "get_subagent_result": {
			const { wait, timeout, verbose } = call;
			const right = {
				agent_id: agentId,
				...(wait === undefined ? {} : { wait }),
				...(timeout === undefined ? {} : { timeout_s: timeout }),
				...(verbose === undefined ? {} : { verbose }),
			};
			const bad = [{ ...right, agent_id: "nobody" }, { ...right, timeout_s: 0 }, {}, undefined];
			return call.bad ? pickBad(bad, variety) : right;
		}
		case "steer_subagent": {
			const right = { agent_id: agentId, message: `message of ${id}` };
			const bad = [{ ...right, agent_id: "nobody" }, { ...right, message: " " }, { agent_id: agentId }, 1];
			return call.bad ? pickBad(bad, variety) : right;
		}
	}
}

function member({ after = [] }: CrewMember, index: number): object {
	const names = after.map((other) => `m${other}`);
	return { name: `m${index}`, prompt: `part ${index}`, ...(names.length === 0 ? {} : { after: names }) };
}

function badAgent(right: object): readonly unknown[] {
	return [
		{ ...right, prompt: "  " },
		{ ...right, subagent_type: "no such type" },
		{ ...right, model: "no/such-model" },
		{ ...right, max_turns: 0 },
		{ ...right, colour: "red" },
		{ ...right, members: [0, 1].map((index) => member({ after: [1 - index] }, index)) },
		{ ...right, swarm: 9 },
		{ ...right, swarm: 2, members: [0, 1].map((index) => member({}, index)) },
		{ prompt: "no description" },
		"no object",
		undefined,
	];
}

function pickBad(bad: readonly unknown[], variety: number): unknown {
	return bad[variety % bad.length];
}
