/** Seed 000's demands that a test can name: its invariants (§15), its test matrix (§17) and its symptoms (§18). */
export interface Demand {
	/** As `readReferences` finds it in a title. */
	readonly key: string;
	readonly rule: string;
}

const invariantRules = [
	"tool names are stable protocol identifiers",
	"every model-visible input has a schema",
	"semantic validation precedes side effects",
	"final content exposes every identifier required for follow-up calls",
	"execution failures throw; expected domain responses return normally",
	"every blocking boundary is abort-aware",
	"already-aborted signals fail immediately",
	"abort listeners are removed after settlement",
	"cancellation scope is explicit: wait, parent tool, or agent",
	"cancelling a result wait never cancels the background agent",
	"AbortError is not converted into success",
	"concurrent calls correlate by toolCallId",
	"shared ownership uses coordinated state",
	"shared mutations are serialized or idempotent",
	"partial updates cannot determine final correctness",
	"final transcript order is deterministic",
	"explicit consumption suppresses automatic publication",
	"cancellation cannot lose an unconsumed result",
	"terminal abort races publish at most once",
	"ownership is checked again at send time",
	"everything is cleaned up",
	"every foreground child follows the parent's abort",
	"a background child's lifetime is independent",
	"steering waits for the active tool batch",
	"quotas fail closed",
	"one stable completion before spawn returns",
	"a wait spans queued and running",
] as const;

const matrixCells = {
	Schema: ["valid input", "missing required input", "invalid enum/range", "compatibility preparation"],
	"Semantic validation": ["incompatible flags", "missing target", "wrong status", "no side effects on rejection"],
	Success: ["normal return", "structured details", "required identifiers"],
	Failure: ["synchronous throw", "async rejection", "post-hook failure"],
	Cancellation: ["pre-aborted signal", "abort during wait", "nested abort", "listener cleanup"],
	Updates: ["no update", "several updates", "no accepted update after settlement"],
	Parallelism: ["different resources", "same resource", "reverse completion order"],
	Ownership: ["explicit consumption", "notification suppression", "all waiters cancelled", "mixed abort/completion"],
	Lifecycle: ["queued", "starting", "running", "completed", "error", "stopped", "resumed"],
	Rendering: ["partial", "final", "expanded", "absent details", "non-TUI mode"],
	Telemetry: ["balanced start/end", "span cleanup", "stable correlation ID"],
} as const;

const regressions = {
	"§17.1": "concurrent waits",
	"§17.2": "a wait for a queued agent",
	"§17.3": "foreground fan-out",
} as const;

const symptoms = [
	"Esc appears ignored",
	"Esc ignored during foreground crew/swarm",
	"wait:true returns immediately for queued agent",
	"Steering is queued but nothing changes",
	"Crew/swarm reports completion while member is queued",
	"Result appears twice",
	"Result disappears after cancelled wait",
	"One of two cancelled waits causes duplicate notification",
	"Tool count exceeds committed side effects",
	"UI progress freezes while execution continues",
	"Background agent cannot be steered",
	"Child stops with parent unexpectedly",
] as const;

/** A part of the contract, and its demands. */
export interface Chapter {
	readonly title: string;
	readonly demands: readonly Demand[];
}

export const chapters: readonly Chapter[] = [
	{
		title: "Invariants (§15)",
		demands: invariantRules.map((rule, index) => ({ key: `invariant ${index + 1}`, rule })),
	},
	{
		title: "Test matrix (§17)",
		demands: [
			...Object.entries(matrixCells).flatMap(([row, cells]) =>
				cells.map((cell) => ({ key: `§17 ${row}: ${cell}`, rule: "" })),
			),
			...Object.entries(regressions).map(([key, rule]) => ({ key, rule })),
		],
	},
	{ title: "Troubleshooting (§18)", demands: symptoms.map((symptom) => ({ key: `§18 ${symptom}`, rule: "" })) },
];

/** The cells of each row of the matrix. */
export const matrix: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(matrixCells));
export const allKeys: ReadonlySet<string> = new Set(chapters.flatMap(({ demands }) => demands.map(({ key }) => key)));
