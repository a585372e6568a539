import { Subject } from "rxjs";
import { describe, expect, it } from "vitest";
import { createRunPlaces, type WorkedIn } from "../../src/host/run-places.ts";
import { agentId } from "../support/run-script.ts";

const [lead, worker] = [agentId("lead1"), agentId("work1")];
const tree: WorkedIn = { root: "/tree", cwd: "/tree/sub", resourcesThere: (resources) => resources };

describe("the worktree of an agent's run", () => {
	it("is where its own agents work, too, and is left when they rest", async () => {
		const places = createRunPlaces();
		expect([places.of(undefined), places.of(lead)]).toEqual([undefined, undefined]);
		places.keep(lead, tree);
		expect(places.of(lead)).toBe(tree);
		const [first$, second$] = [new Subject<void>(), new Subject<void>()];
		places.share(lead, first$);
		places.share(lead, second$);
		const order: string[] = [];
		const left = places.leave(lead).then(() => order.push("left"));
		expect(places.of(lead)).toBe(undefined);
		first$.complete();
		await Promise.resolve();
		order.push("one rests");
		second$.complete();
		await left;
		expect(order).toEqual(["one rests", "left"]);
	});

	it("waits for nobody where nobody works in it", async () => {
		const places = createRunPlaces();
		places.share(undefined, new Subject());
		places.share(worker, new Subject());
		await expect(places.leave(worker)).resolves.toBe(undefined);
	});
});
