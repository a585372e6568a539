import { of, Subject } from "rxjs";
import { describe, expect, it } from "vitest";
import { refCountClaim } from "../../src/operators/index.ts";
import type { AgentId, Publishable, RunKey, TerminalRecord } from "../../src/streams/index.ts";
import { keepPublishable } from "../../src/streams/keep-publishable.ts";
import { ended } from "../ui/records.ts";

const parent = "pppp" as AgentId;

/** A result of an agent below `pppp`, or below the one that is named. */
function result(id: string, of$: AgentId | undefined = parent): Publishable {
	const claim = refCountClaim(of<TerminalRecord>(ended(id)));
	claim.connect();
	return { key: `${id}#1` as RunKey, claim, ...(of$ === undefined ? {} : { parent: of$ }) };
}

describe("what is kept for an agent that goes on", () => {
	it("is the results that it has not had: neither those it has read nor those it was told of", () => {
		const publishable$ = new Subject<Publishable>();
		const kept = keepPublishable(publishable$);
		const [read, told, lost, other] = [
			result("aaaa"),
			result("bbbb"),
			result("cccc"),
			result("dddd", "qqqq" as AgentId),
		];
		for (const one of [read, told, lost, other]) publishable$.next(one);
		read.claim.claim$.subscribe({ error: () => undefined }).unsubscribe();
		told.claim.handOver()?.commit();
		lost.claim.handOver()?.lose();
		const heard: string[] = [];
		const listening = kept.of(parent).subscribe({ next: ({ key }) => heard.push(key), error: () => undefined });
		publishable$.next(result("eeee"));
		publishable$.next(result("ffff", "qqqq" as AgentId));
		expect(heard).toEqual(["cccc#1", "eeee#1"]);
		listening.unsubscribe();
	});
});
