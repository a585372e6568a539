import { describe, expect, it } from "vitest";
import {
	noticeMessageType,
	resultMessageType,
	ScheduleRefused,
	SpawnRefused,
	SteerRefused,
} from "../../src/streams/index.ts";

describe("names that sessions keep and other extensions look for", () => {
	it("are the types of the messages that an agent's result and a notice go as", () => {
		expect([resultMessageType, noticeMessageType]).toEqual(["subagent-result", "subagent-notice"]);
	});

	it("are those of the refusals, whose message is the reason", () => {
		for (const refusal of [
			new SpawnRefused("too many"),
			new SteerRefused("too many"),
			new ScheduleRefused("too many"),
		]) {
			expect(refusal).toBeInstanceOf(Error);
			expect(refusal.message).toBe("too many");
		}
		expect(new SpawnRefused("").name).toBe("SpawnRefused");
		expect(new SteerRefused("").name).toBe("SteerRefused");
		expect(new ScheduleRefused("").name).toBe("ScheduleRefused");
	});
});
