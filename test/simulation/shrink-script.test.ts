import { describe, expect, it } from "vitest";
import { generateScript } from "./generate-script.ts";
import type { Script } from "./script.ts";
import { formatScript, shrinkScript } from "./shrink-script.ts";
import { simulate } from "./simulate.ts";

/** Whether an agent hangs and an Esc comes at some time after it. */
async function hangsBeforeEsc({ steps }: Script): Promise<boolean> {
	const hanging = steps.findIndex(
		(step) => step.do === "calls" && step.calls.some((call) => call.tool === "Agent" && call.child?.ends === "hangs"),
	);
	return hanging >= 0 && steps.slice(hanging).some((step) => step.do === "esc");
}

describe("shrinking a script", () => {
	it("leaves what matters, and nothing else", async () => {
		const seeds = Array.from({ length: 200 }, (_, index) => index);
		const scripts = seeds.map((seed) => generateScript(seed, 60));
		const failing: Script[] = [];
		for (const script of scripts) if (await hangsBeforeEsc(script)) failing.push(script);
		expect(failing.length).toBeGreaterThan(20);
		for (const script of failing) {
			expect(await shrinkScript(script, hangsBeforeEsc)).toEqual({
				seed: script.seed,
				steps: [{ do: "calls", calls: [{ tool: "Agent", child: { ends: "hangs" } }] }, { do: "esc" }],
			});
		}
	});

	it("writes a script as TypeScript takes it, one step a line", () => {
		const text = formatScript({ seed: 3, host: { muted: true }, steps: [{ do: "esc" }, { after: 5, do: "fail" }] });
		expect(text).toBe('{"seed":3,"host":{"muted":true},"steps":[\n\t{"do":"esc"},\n\t{"after":5,"do":"fail"},\n]}');
	});
});

describe("a script", () => {
	it.each([1, 2, 3, 4, 5])("runs the same way each time (seed %i)", async (seed) => {
		const script = generateScript(seed, 80);
		expect(script).toEqual(generateScript(seed, 80));
		expect(await simulate(script)).toEqual(await simulate(script));
	});

	it("starts nothing where there is nothing to start", async () => {
		const script: Script = {
			seed: 0,
			steps: [{ do: "esc" }, { do: "stop", agents: [0, 3] }, { do: "resume", agent: 0 }, { do: "replace" }],
		};
		expect(await simulate(script)).toMatchObject({ agents: 0, violation: undefined });
	});
});
