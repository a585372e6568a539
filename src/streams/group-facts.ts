import type { Group, GroupRequest } from "./groups.ts";
import type { GroupId } from "./ids.ts";
import type { JointRun } from "./joint-runs.ts";

type Facts = Pick<Group, "groupId" | "kind" | "description" | "background" | "join" | "toolCallId" | "parent">;

/** What is true of a group from its beginning to its end. */
export function groupFacts(groupId: GroupId, from: Omit<GroupRequest, "members">): Facts {
	const { kind, description, background, join, toolCallId, parent } = from;
	return {
		groupId,
		kind,
		description,
		background,
		join,
		...(toolCallId === undefined ? {} : { toolCallId }),
		...(parent === undefined ? {} : { parent }),
	};
}

/** A member as its group shows it: its record is its run's, whatever that is when it is asked for. */
export function groupMember(
	name: string,
	after: readonly string[],
	run: Pick<JointRun, "record">,
): Group["members"][number] {
	return {
		name,
		after,
		agentId: run.record.agentId,
		get record() {
			return run.record;
		},
	};
}
