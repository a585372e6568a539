import { describe, expect, it } from "vitest";
import { type Publishable, toToolCallId } from "../../../src/streams/index.ts";
import { groupsFixture, type MemberSketch } from "../../support/groups-fixture.ts";
import { agentId } from "../../support/run-script.ts";

const byUser = { status: "stopped", reason: "stopped_by_user" } as const;
const member = (name: string, ...after: string[]): MemberSketch => ({ name, after });

/** Groups, and whose results are quiet once they are there. */
function world() {
	const fixture = groupsFixture();
	const results = new Map<string, Publishable>();
	fixture.own(fixture.agents.publishable$, (result) => results.set(result.key, result));
	return {
		fixture,
		end: (name: string, letter: "s" | "e") => {
			fixture.say(name, letter);
			fixture.say(name, "c");
		},
		stop: (name: string) => {
			fixture.own(fixture.agents.stop([agentId(`agent-${name}`)], byUser));
			fixture.say(name, "s");
			fixture.say(name, "c");
		},
		isQuiet: (name: string) => results.get(`agent-${name}#1`)?.quiet?.(),
	};
}

describe("the result of a member that could not start", () => {
	it("is no news when a person has stopped what it needed", () => {
		const { fixture, stop, isQuiet } = world();
		fixture.spawn([member("a"), member("b", "a"), member("c", "b")]);
		expect([isQuiet("a"), isQuiet("b")]).toEqual([false, false]);
		stop("a");
		expect([isQuiet("a"), isQuiet("b"), isQuiet("c")]).toEqual([true, true, true]);
	});

	it("is news when what it needed has failed", () => {
		const { fixture, end, isQuiet } = world();
		fixture.spawn([member("a"), member("b", "a")]);
		end("a", "e");
		expect([isQuiet("a"), isQuiet("b")]).toEqual([false, false]);
	});

	it("is news when one that it needed was stopped and another one has failed", () => {
		const { fixture, end, stop, isQuiet } = world();
		fixture.spawn([member("a"), member("b"), member("c", "a", "b")]);
		stop("a");
		end("b", "e");
		expect(isQuiet("c")).toBe(false);
	});

	it("is no news when the others that it needed have done what they were asked to", () => {
		const { fixture, end, stop, isQuiet } = world();
		fixture.spawn([member("a"), member("b"), member("c", "a", "b")]);
		end("b", "s");
		stop("a");
		expect(isQuiet("c")).toBe(true);
	});
});

describe("the call that started a group", () => {
	it("is that of the group and of its members, and of none where there was none", () => {
		const { fixture } = world();
		const toolCallId = toToolCallId("t1");
		const group = fixture.spawn([member("a"), member("b", "a")], { toolCallId });
		expect(group.toolCallId).toBe("t1");
		expect(group.members.map(({ record }) => record.toolCallId)).toEqual(["t1", "t1"]);
		const other = fixture.spawn([member("c")]);
		expect(other).not.toHaveProperty("toolCallId");
		expect(other.members[0]?.record).not.toHaveProperty("toolCallId");
	});
});

describe("watching a group", () => {
	it("tells each change once, however many members there are", () => {
		const { fixture } = world();
		const group = fixture.spawn([member("a"), member("b")]);
		const seen: string[] = [];
		fixture.own(group.watch$, (records) => seen.push(records.map(({ status }) => status).join(" ")));
		const before = seen.length;
		fixture.say("a", "s");
		expect(seen.slice(before)).toEqual(["completed running"]);
		fixture.say("b", "s");
		expect(seen.slice(before)).toEqual(["completed running", "completed completed"]);
	});
});
