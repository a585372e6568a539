export { type AgentRun, createAgentRun } from "./agent-run.ts";
export type { AgentRunContext } from "./agent-run-context.ts";
export {
	type Agents,
	type AgentsOwner,
	type Publishable,
	type Reading,
	type Release,
	type ResumeRequest,
	SpawnRefused,
	type SpawnRequest,
	type SteerReceipt,
	SteerRefused,
	type StopReport,
} from "./agents.ts";
export { agentsOf, type OwnAgents } from "./agents-of.ts";
export type { AgentsOptions } from "./agents-options.ts";
export { bodyLimit, type Capped, capText, shareLimit } from "./cap.ts";
export { checkGraph, type GraphMember } from "./check-graph.ts";
export { createAgents } from "./create-agents.ts";
export { createGroups, type GroupsOptions } from "./create-groups.ts";
export { createSchedules, type SchedulesOptions } from "./create-schedules.ts";
export { dependentPrompt, type MemberResult } from "./dependent-prompt.ts";
export { agentsAbove, depthOf, inTree } from "./family.ts";
export { fence } from "./fence.ts";
export type { Group, GroupKind, GroupMember, GroupRequest, Groups, GroupsOwner, MemberRequest } from "./groups.ts";
export { groupsOf } from "./groups-of.ts";
export {
	type AgentId,
	type CorrelationId,
	type GroupId,
	parseAgentId,
	parseGroupId,
	type RunKey,
	runKey,
	type ToolCallId,
	toCorrelationId,
	toToolCallId,
} from "./ids.ts";
export type { Begin, JointRequest, JointRun, JointRuns } from "./joint-runs.ts";
export { type KeptPublishable, keepPublishable } from "./keep-publishable.ts";
export type { LedgerLine, OpenedLine, RunLine, SettledLine, StartedLine } from "./ledger-line.ts";
export { parseLedgerLine } from "./ledger-parse.ts";
export { noticeMessageType, resultMessageType } from "./message-types.ts";
export { createOutbox, type Outbox, type OutboxOptions, type Route } from "./outbox.ts";
export {
	isSuccess,
	type Outcome,
	type OutcomeReasons,
	type StopRequest,
	type TerminalStatus,
	type Verdict,
} from "./outcome.ts";
export { type ParentActivity, type ParentEvent, type ParentState, parentActivity$ } from "./parent-activity.ts";
export { parseScheduleEntry } from "./parse-schedule-entry.ts";
export type {
	Note,
	NoteAgent,
	NoteDetails,
	NoteGroup,
	ParentPort,
	RunConfig,
	RunInputs,
	RunLimits,
	RunSpec,
	StartRun,
	SteeringMessage,
	SteeringSource,
} from "./ports.ts";
export {
	type ActiveTool,
	type AgentRecord,
	isTerminal,
	type QueuedRecord,
	type RecordEvent,
	type RecordStatus,
	type RunningRecord,
	type TerminalRecord,
} from "./record.ts";
export { IllegalTransition, reduceRecord } from "./reduce-record.ts";
export type { RestoredRun } from "./restored-run.ts";
export type { ChildSessionInfo, RunEvent } from "./run-event.ts";
export type {
	KeptSchedules,
	LeaseAnswer,
	ScheduleEntry,
	ScheduleLease,
	ScheduleStore,
} from "./schedule-entry.ts";
export type { Cron, ScheduleSpec } from "./schedule-spec.ts";
export {
	type ReadSchedule,
	type Schedule,
	type ScheduleFire,
	type ScheduleId,
	type ScheduleLast,
	type ScheduleReceipt,
	ScheduleRefused,
	type ScheduleRequest,
	type Schedules,
	type StartScheduled,
} from "./schedules.ts";
export { createSettleHold, type Offer, type SettleHold, type SettleHoldOptions } from "./settle-hold.ts";
export { createSpendWatermark, type SpendWatermark } from "./spend-watermark.ts";
export { addSpend, noSpend, type Spend, subtractSpend } from "./usage.ts";
