import { Subject } from "rxjs";
import { describe, expect, it } from "vitest";
import type { AgentRecord } from "../../src/streams/record.ts";
import { createSpendWatermark } from "../../src/streams/spend-watermark.ts";
import { noSpend } from "../../src/streams/usage.ts";
import { history } from "./ledger-fixture.ts";

const spendOf = (input: number) => ({ ...noSpend, input });
const spending = (id: string, run: number, input: number): AgentRecord => ({
	...history(id).record,
	run,
	spend: spendOf(input),
});

describe("the spend that results carry", () => {
	it("is each token once, over all agents, from before and from changes", () => {
		const changes$ = new Subject<AgentRecord>();
		const spend = createSpendWatermark({ list: () => [spending("aaaa", 1, 5)], changes$ }, spendOf(2));
		expect(spend.take()).toEqual(spendOf(3));
		changes$.next(spending("aaaa", 1, 7));
		changes$.next(spending("bbbb", 1, 10));
		expect(spend.take()).toEqual(spendOf(12));
		expect(spend.take()).toEqual(noSpend);
		expect(spend.carried).toEqual(spendOf(17));
	});

	it("is not taken back by a late word of an earlier run, whose spend the later one has", () => {
		const changes$ = new Subject<AgentRecord>();
		const spend = createSpendWatermark({ list: () => [], changes$ });
		changes$.next(spending("aaaa", 1, 5));
		changes$.next(spending("aaaa", 2, 8));
		changes$.next(spending("aaaa", 1, 6));
		expect(spend.take()).toEqual(spendOf(8));
	});

	it("leaves out what another result has carried", () => {
		const changes$ = new Subject<AgentRecord>();
		const spend = createSpendWatermark({ list: () => [], changes$ });
		changes$.next(spending("aaaa", 1, 5));
		spend.carry(spendOf(4));
		expect(spend.carried).toEqual(spendOf(4));
		expect(spend.take()).toEqual(spendOf(1));
	});

	it("is not added up anew for each result", () => {
		let asked = 0;
		const list = () => {
			asked++;
			return [];
		};
		const spend = createSpendWatermark({ list, changes$: new Subject<AgentRecord>() });
		for (let count = 0; count < 9; count++) spend.take();
		expect(asked).toBe(1);
	});
});
