export { type AgentRun, type AgentRunContext, createAgentRun } from "./agent-run.ts";
export {
	type Agents,
	type Publishable,
	type Reading,
	type ResumeRequest,
	SpawnRefused,
	type SpawnRequest,
	type SteerReceipt,
	SteerRefused,
	type StopReport,
} from "./agents.ts";
export { bodyLimit, type Capped, capText, shareLimit } from "./cap.ts";
export { type AgentsOptions, createAgents } from "./create-agents.ts";
export { fence } from "./fence.ts";
export {
	type AgentId,
	type CorrelationId,
	parseAgentId,
	type RunKey,
	runKey,
	type ToolCallId,
	toCorrelationId,
	toToolCallId,
} from "./ids.ts";
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
export type {
	Note,
	NoteAgent,
	NoteDetails,
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
export type { ChildSessionInfo, RunEvent } from "./run-event.ts";
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
export { createSpendWatermark } from "./spend-watermark.ts";
export { addSpend, noSpend, type Spend, subtractSpend } from "./usage.ts";
