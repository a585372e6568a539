import { describe, expect, it } from "vitest";
import { noSpend, type Spend } from "../../src/streams/index.ts";
import { createAgentTool, createGetSubagentResultTool, type ToolDeps } from "../../src/tools/index.ts";
import { callOf, promisesRun, type ToolsFixture, toolsFixture } from "./tools-fixture.ts";

const start = { prompt: "do it", description: "a task" };
const spend: Spend = { ...noSpend, input: 7 };

interface LateBound {
	readonly deps: ToolDeps;
	session: ToolsFixture | undefined;
	taken: number;
}

/** Dependencies as the extension has them: of whatever session is current when they are asked for. */
function lateBound(first: ToolsFixture): LateBound {
	const bound: LateBound = {
		session: first,
		taken: 0,
		deps: {
			...first.deps,
			get agents() {
				if (bound.session === undefined) throw new Error("there is no session");
				return bound.session.agents;
			},
			takeSpend: () => {
				bound.taken++;
				return spend;
			},
		},
	};
	return bound;
}

async function endedAfter(replace: (bound: LateBound) => void) {
	const first = toolsFixture();
	const bound = lateBound(first);
	const call = createAgentTool(bound.deps).run(callOf(start));
	await promisesRun();
	replace(bound);
	first.run().end();
	return { bound, answer: await call };
}

// Found by the simulation: a wait that was slow to end took what the next session had spent.
describe("a call that ends after its session was replaced", () => {
	it("carries nothing of what the next session has spent", async () => {
		const { answer, bound } = await endedAfter((deps) => {
			deps.session = toolsFixture();
		});
		expect(answer.spend).toBeUndefined();
		expect(bound.taken).toBe(0);
		expect(answer.text).toContain("the answer");
	});

	it("answers also while there is no session at all", async () => {
		const { answer } = await endedAfter((deps) => {
			deps.session = undefined;
		});
		expect(answer).toMatchObject({ isError: false, details: { agent_id: "agent1" } });
	});

	it("carries its own session's spend while that lasts", async () => {
		const { answer } = await endedAfter(() => undefined);
		expect(answer.spend).toEqual(spend);
	});
});

it("a call between sessions rejects, and does not throw", async () => {
	const bound = lateBound(toolsFixture());
	bound.session = undefined;
	const call = createGetSubagentResultTool(bound.deps).run(callOf({ agent_id: "agent1" }));
	await expect(call).rejects.toThrow("there is no session");
});
