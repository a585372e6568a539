export {
	type AgentsCommand,
	agentsHelp,
	allIds,
	parseAgentsCommand,
	type Resolved,
	resolveId,
	type StopSelection,
	type StopTargets,
	selectToStop,
} from "./agents-command.ts";
export { agentsCompletions } from "./agents-completions.ts";
export { agentsTable, showAgent } from "./agents-table.ts";
export { type DoctorFacts, doctorReport } from "./doctor-report.ts";
export { showGroup } from "./group-table.ts";
export { renderNote } from "./note-rendering.ts";
export { scheduleChanged, schedulesTable } from "./schedules-table.ts";
export { statusLine } from "./status-line.ts";
export { stopReport } from "./stop-report.ts";
export { type ToolRenderers, toolRenderers } from "./tool-rendering.ts";
