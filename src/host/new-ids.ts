import { randomBytes } from "node:crypto";
import type { AgentId, GroupId } from "../streams/index.ts";

/** Told from an agent's id at a glance, and never equal to one. */
export function newGroupId(): GroupId {
	return `g-${randomBytes(4).toString("hex")}` as GroupId;
}

/** Eight hexadecimal digits: short enough for a model to copy, and good as a session id of the host. */
export function newAgentId(): AgentId {
	return randomBytes(4).toString("hex") as AgentId;
}
