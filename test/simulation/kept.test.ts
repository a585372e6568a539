import { expect, it } from "vitest";
import { keptScripts } from "./kept/index.ts";
import { simulate } from "./simulate.ts";

it.each(Object.entries(keptScripts))("holds every rule: %s", async (_name, script) => {
	const { violation } = await simulate(script);
	expect(violation?.message).toBeUndefined();
});
