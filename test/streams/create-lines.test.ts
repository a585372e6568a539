import { Subject, Subscription } from "rxjs";
import { describe, expect, it } from "vitest";
import { createLines } from "../../src/streams/create-lines.ts";
import { agentId } from "../support/run-script.ts";

/** Lines of one slot each, and who has been let through. */
function world() {
	const limit$ = new Subject<number>();
	const lines = createLines(limit$);
	const log: string[] = [];
	const scope = new Subscription();
	const stand = (name: string, parent?: string): Subscription => {
		const line = lines.of(parent === undefined ? undefined : agentId(parent));
		const source$ = new Subject<void>();
		const standing = source$.pipe(line.admit()).subscribe({ error: () => log.push(`${name} failed`) });
		scope.add(standing);
		if (source$.observed) log.push(name);
		return standing;
	};
	return { limit$, lines, log, scope, stand };
}

describe("the lines of a session", () => {
	it("are one for the session and one for each agent, and none takes another's slot", () => {
		const { limit$, lines, scope, log, stand } = world();
		const [a, b] = [agentId("aaaa"), agentId("bbbb")];
		expect(lines.of(undefined)).toBe(lines.of(undefined));
		expect(lines.of(a)).toBe(lines.of(a));
		expect(new Set([lines.of(undefined), lines.of(a), lines.of(b)]).size).toBe(3);
		limit$.next(1);
		stand("s1");
		stand("s2");
		stand("a1", "aaaa");
		stand("b1", "bbbb");
		expect(log).toEqual(["s1", "a1", "b1"]);
		scope.unsubscribe();
	});

	it("are dropped with their agents: whoever comes then has a line of its own, and the session's stays", () => {
		const { limit$, lines, scope } = world();
		const a = agentId("aaaa");
		const [session, old] = [lines.of(undefined), lines.of(a)];
		expect(limit$.observed).toBe(true);
		lines.drop(undefined);
		lines.drop(agentId("none"));
		expect([lines.of(undefined), lines.of(a)]).toEqual([session, old]);
		expect(lines.of(undefined)).toBe(session);
		lines.drop(a);
		expect(lines.of(a)).not.toBe(old);
		scope.unsubscribe();
	});

	it("all end with the session, and leave what says how many slots there are", () => {
		const { limit$, lines, scope, stand } = world();
		limit$.next(1);
		stand("s1");
		stand("a1", "aaaa");
		const a = lines.of(agentId("aaaa"));
		lines.close();
		expect(limit$.observed).toBe(false);
		expect(lines.of(agentId("aaaa"))).not.toBe(a);
		scope.unsubscribe();
	});

	it("of an agent leaves that too when it is dropped", () => {
		const { limit$, lines, scope } = world();
		const before = limit$.observers.length;
		lines.of(agentId("aaaa"));
		expect(limit$.observers.length).toBe(before + 1);
		lines.drop(agentId("aaaa"));
		expect(limit$.observers.length).toBe(before);
		scope.unsubscribe();
	});
});
