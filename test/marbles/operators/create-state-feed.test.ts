import { noop, type Subscription, take } from "rxjs";
import { describe, expect, it } from "vitest";
import { createStateFeed, type StateFeed } from "../../../src/operators/create-state-feed.ts";
import { isCollected } from "../../support/collected.ts";
import { unhandledErrors } from "../../support/unhandled-errors.ts";

function newFeed(): StateFeed<number> {
	return createStateFeed(0, (state) => state === 9);
}

function move(feed: StateFeed<number>, state: number): void {
	feed.put(state);
	feed.flush();
}

function listen(feed: StateFeed<number>, seen: (number | string)[]): Subscription {
	return feed.state$.subscribe({
		next: (state) => seen.push(state),
		error: noop,
		complete: () => seen.push("end"),
	});
}

describe("createStateFeed", () => {
	it("tells the current state, each change, and the end after a last state", () => {
		const feed = newFeed();
		const early: (number | string)[] = [];
		const late: (number | string)[] = [];
		const after: (number | string)[] = [];
		const subscriptions = [listen(feed, early)];
		move(feed, 1);
		subscriptions.push(listen(feed, late));
		move(feed, 2);
		move(feed, 9);
		subscriptions.push(listen(feed, after));
		expect([early, late, after]).toEqual([
			[0, 1, 2, 9, "end"],
			[1, 2, 9, "end"],
			[9, "end"],
		]);
		expect(subscriptions.every(({ closed }) => closed)).toBe(true);
	});

	it("has the state at once and tells it at the flush", () => {
		const feed = newFeed();
		const seen: (number | string)[] = [];
		const subscription = listen(feed, seen);
		feed.put(1);
		expect([feed.current, seen]).toEqual([1, [0]]);
		feed.flush();
		expect(seen).toEqual([0, 1]);
		subscription.unsubscribe();
	});

	it("starts one that comes between a change and its telling with the change, once", () => {
		const feed = newFeed();
		const seen: (number | string)[] = [];
		feed.put(1);
		const subscription = listen(feed, seen);
		feed.flush();
		expect(seen).toEqual([1]);
		subscription.unsubscribe();
	});

	it("tells everyone the same order when an observer makes the next change, never inside a handler", () => {
		const feed = newFeed();
		const seen: (number | string)[] = [];
		let inside = 0;
		const first = feed.state$.subscribe({
			next: (state) => {
				inside++;
				expect(inside).toBe(1);
				if (state < 3) move(feed, state + 1);
				inside--;
			},
			error: noop,
		});
		const second = listen(feed, seen);
		expect(seen).toEqual([3]);
		move(feed, 0);
		expect(seen).toEqual([3, 0, 1, 2, 3]);
		first.unsubscribe();
		second.unsubscribe();
	});

	it("starts one that comes from inside a telling with the newest state, after what is under way", () => {
		const feed = newFeed();
		const seen: (number | string)[] = [];
		const inner: Subscription[] = [];
		const outer = feed.state$.subscribe({
			next: (state) => {
				if (state !== 1) return;
				feed.put(2);
				inner.push(listen(feed, seen));
				feed.put(3);
			},
			error: noop,
		});
		move(feed, 1);
		expect(seen).toEqual([2, 3]);
		for (const subscription of [outer, ...inner]) subscription.unsubscribe();
	});

	it("tells nothing more to one that has left, also in the middle of a telling", () => {
		const feed = newFeed();
		const seen: (number | string)[] = [];
		const leaving: Subscription[] = [];
		const first = feed.state$.subscribe({
			next: (state) => {
				if (state === 1) for (const subscription of leaving) subscription.unsubscribe();
			},
			error: noop,
		});
		leaving.push(listen(feed, seen));
		move(feed, 1);
		move(feed, 2);
		expect(seen).toEqual([0]);
		first.unsubscribe();
	});

	it("tells the others when an observer throws, in a handler or at its end", async () => {
		const feed = newFeed();
		const seen: (number | string)[] = [];
		const bad = feed.state$.pipe(take(3)).subscribe({
			next: (state) => {
				if (state === 1) throw new Error("of the handler");
			},
			error: noop,
		});
		const ending = feed.state$.subscribe({ error: noop });
		ending.add(() => {
			throw new Error("of the finalizer");
		});
		const good = listen(feed, seen);
		const reported = await unhandledErrors(() => {
			move(feed, 1);
			move(feed, 9);
		});
		expect(seen).toEqual([0, 1, 9, "end"]);
		expect(reported).toHaveLength(2);
		expect([bad.closed, ending.closed, good.closed]).toEqual([true, true, true]);
	});

	it("keeps nothing of an observer that has left", async () => {
		const feed = newFeed();
		const leave = (): Subscription => {
			const observer = listen(feed, []);
			observer.unsubscribe();
			return observer;
		};
		expect(await isCollected(leave)).toBe(true);
		const staying = listen(feed, []);
		expect(await isCollected(() => staying)).toBe(false);
		staying.unsubscribe();
	});
});
