import { describe, expect, it } from "vitest";
import { createTakeOver } from "../../src/host/take-over.ts";
import { createVirtualClock } from "../simulation/virtual-clock.ts";

/** A look that the test answers. */
function looks() {
	const pending: ((others: boolean | Error) => void)[] = [];
	let count = 0;
	const look = () =>
		new Promise<boolean>((resolve, reject) => {
			count++;
			pending.push((others) => (others instanceof Error ? reject(others) : resolve(others)));
		});
	const answer = async (others: boolean | Error): Promise<void> => {
		pending.shift()?.(others);
		await new Promise(setImmediate);
	};
	return { look, answer, count: () => count };
}

describe("looking for what another process leaves", () => {
	it("takes no time while there is no other", async () => {
		const clock = createVirtualClock();
		const { look, count } = looks();
		createTakeOver({ look, others: false, scheduler: clock.scheduler });
		expect([clock.pending, count()]).toEqual([0, 0]);
	});

	it("goes on as long as there is another, and also after a look that failed", async () => {
		const clock = createVirtualClock();
		const { look, answer, count } = looks();
		createTakeOver({ look, others: true, scheduler: clock.scheduler });
		for (const others of [true, new Error("the disk is gone"), true]) {
			expect(clock.pending).toBe(1);
			clock.step();
			await answer(others);
		}
		clock.step();
		await answer(false);
		expect([clock.pending, count()]).toEqual([0, 4]);
	});

	it("is done once for all who ask meanwhile, and at once for who asks later", async () => {
		const { look, answer, count } = looks();
		const takeOver = createTakeOver({ look, others: false });
		const both = Promise.all([takeOver.look(), takeOver.look()]);
		await answer(false);
		await both;
		expect(count()).toBe(1);
		const later = takeOver.look();
		await answer(false);
		await later;
		expect(count()).toBe(2);
	});

	it("ends with its owner, who waits for a look that is under way", async () => {
		const clock = createVirtualClock();
		const { look, answer, count } = looks();
		const takeOver = createTakeOver({ look, others: true, scheduler: clock.scheduler });
		clock.step();
		let closed = false;
		const closing = takeOver.close().then(() => {
			closed = true;
		});
		await new Promise(setImmediate);
		expect(closed).toBe(false);
		await answer(true);
		await closing;
		await takeOver.look();
		expect([clock.pending, count()]).toEqual([0, 1]);
	});
});
