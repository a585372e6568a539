import { EMPTY, map, NEVER, noop, of, Subject, take } from "rxjs";
import { describe, expect, it } from "vitest";
import { createMailbox } from "../../../src/operators/index.ts";
import { actAt, marbles } from "../../support/marbles.ts";

const batches = { 1: ["a"], 2: ["b", "c"], 3: ["a", "b"] };

describe("createMailbox", () => {
	it(
		"hands over one batch a boundary, in the order of posting, and none when it is empty",
		marbles(({ hot, expectObservable, expectSubscriptions }) => {
			const mailbox = createMailbox<string>();
			const posts$ = hot("  -a---b-c-----");
			const boundary$ = hot("---x-----x-x-|");
			const expected = "    ---1-----2---|";
			void posts$.forEach((message) => {
				mailbox.post(message);
			});
			expectObservable(mailbox.deliver(boundary$)).toBe(expected, batches);
			expectSubscriptions(boundary$.subscriptions).toBe("^------------!");
		}),
	);

	it(
		"tells of each post once the message is in the box, so that a boundary may be made of it",
		marbles(({ hot, expectObservable }) => {
			const mailbox = createMailbox<string>();
			actAt(hot("-x--x-"), () => mailbox.post("a"));
			expectObservable(mailbox.posted$.pipe(map(() => String(mailbox.size)))).toBe("-1--2-");
			expectObservable(mailbox.deliver(mailbox.posted$), "---^").toBe("----3-", { 3: ["a", "a"] });
		}),
	);

	it("hands over nothing where there is no boundary, and what was posted stays", () => {
		for (const boundary$ of [NEVER, EMPTY]) {
			const mailbox = createMailbox<string>();
			mailbox.post("a");
			const seen: unknown[] = [];
			const reader = mailbox.deliver(boundary$).subscribe({ next: (batch) => seen.push(batch), error: noop });
			reader.unsubscribe();
			expect(seen).toEqual([]);
			expect(mailbox.size).toBe(1);
		}
	});

	it(
		"hands over what was posted before there was a reader",
		marbles(({ hot, expectObservable }) => {
			const mailbox = createMailbox<string>();
			mailbox.post("a");
			expectObservable(mailbox.deliver(hot("-x--x-")), "--^").toBe("----1-", batches);
		}),
	);

	it(
		"errors with the very error of the boundaries, and keeps what was not handed over",
		marbles(({ hot, expectObservable, flush }) => {
			const failure = new Error("of the boundary");
			const mailbox = createMailbox<string>();
			mailbox.post("a");
			expectObservable(mailbox.deliver(hot("--#", undefined, failure))).toBe("--#", undefined, failure);
			flush();
			expect(mailbox.drain()).toEqual(["a"]);
		}),
	);

	it(
		"takes a message along that is posted before the boundary in the same frame",
		marbles(({ hot, expectObservable }) => {
			const mailbox = createMailbox<string>();
			actAt(hot("              --p----"), () => mailbox.post("a"));
			const boundary$ = hot("  --x--x-");
			expectObservable(mailbox.deliver(boundary$)).toBe("--1----", batches);
		}),
	);

	it(
		"leaves a message for the next boundary that is posted after one in the same frame",
		marbles(({ hot, expectObservable }) => {
			const mailbox = createMailbox<string>();
			const boundary$ = hot("  --x--x-");
			actAt(hot("              --p----"), () => mailbox.post("a"));
			expectObservable(mailbox.deliver(boundary$)).toBe("-----1-", batches);
		}),
	);

	it(
		"keeps what comes after its reader has left, and gives up the boundary",
		marbles(({ hot, expectObservable, expectSubscriptions, flush }) => {
			const mailbox = createMailbox<string>();
			const boundary$ = hot("   -x-x--");
			mailbox.post("a");
			actAt(hot("              --p----"), () => mailbox.post("b"));
			expectObservable(mailbox.deliver(boundary$), "^-!").toBe("-1-", batches);
			expectSubscriptions(boundary$.subscriptions).toBe("^-!");
			flush();
			expect([mailbox.size, mailbox.drain(), mailbox.size]).toEqual([1, ["b"], 0]);
		}),
	);

	it("leaves a message for the next boundary that a reader posts while it reads", () => {
		const mailbox = createMailbox<string>();
		const boundary$ = new Subject<void>();
		const seen: (readonly string[])[] = [];
		const reader = mailbox.deliver(boundary$).subscribe({
			next: (batch) => {
				seen.push(batch);
				if (seen.length === 1) mailbox.post("again");
			},
			error: noop,
		});
		mailbox.post("a");
		boundary$.next();
		expect([seen, mailbox.size]).toEqual([[["a"]], 1]);
		boundary$.next();
		expect(seen).toEqual([["a"], ["again"]]);
		reader.unsubscribe();
		expect(boundary$.observed).toBe(false);
	});

	it("hands over another batch when a reader sets off a boundary while it reads", () => {
		const mailbox = createMailbox<string>();
		const boundary$ = new Subject<void>();
		const seen: (readonly string[])[] = [];
		const reader = mailbox.deliver(boundary$).subscribe({
			next: (batch) => {
				seen.push(batch);
				if (seen.length === 1) {
					mailbox.post("again");
					boundary$.next();
				}
			},
			error: noop,
		});
		mailbox.post("a");
		boundary$.next();
		expect(seen).toEqual([["a"], ["again"]]);
		reader.unsubscribe();
	});

	it("gives the batch to the first of two readers that sees the boundary", () => {
		const mailbox = createMailbox<string>();
		const boundary$ = new Subject<void>();
		const seen: string[] = [];
		const first = mailbox.deliver(boundary$).subscribe({ next: () => seen.push("first"), error: noop });
		const second = mailbox.deliver(boundary$).subscribe({ next: () => seen.push("second"), error: noop });
		mailbox.post("a");
		boundary$.next();
		first.unsubscribe();
		mailbox.post("b");
		boundary$.next();
		expect(seen).toEqual(["first", "second"]);
		second.unsubscribe();
		expect(boundary$.observed).toBe(false);
	});

	it("takes no batch for a reader that has left in the middle of synchronous boundaries", () => {
		const mailbox = createMailbox<string>();
		mailbox.post("a");
		const seen: (readonly string[])[] = [];
		mailbox
			.deliver(of(1, 2, 3))
			.pipe(take(1))
			.subscribe({
				next: (batch) => {
					seen.push(batch);
					mailbox.post("b");
				},
				error: noop,
			})
			.unsubscribe();
		expect([seen, mailbox.drain()]).toEqual([[["a"]], ["b"]]);
	});

	it("drains what was not handed over, once, and never changes a batch that is out", () => {
		const mailbox = createMailbox<string>();
		mailbox.post("a");
		mailbox.post("b");
		const batch = mailbox.drain();
		mailbox.post("c");
		expect([batch, mailbox.size]).toEqual([["a", "b"], 1]);
		expect([mailbox.drain(), mailbox.drain()]).toEqual([["c"], []]);
	});
});
