/** A demand of the contract that has no test yet, and cannot have one before the work that brings it. */
export interface Later {
	readonly key: string;
	readonly reason: string;
	readonly brings: string;
}

/** As short as can be. An entry goes when its work comes: the check fails on one that is no hole any more. */
export const later: readonly Later[] = [
	{
		key: "§17 Semantic validation: incompatible flags",
		reason: "no two parameters that `Agent` has so far exclude each other",
		brings: "the parameters `resume`, `schedule`, `swarm` and `members`",
	},
	{
		key: "§17 Telemetry: balanced start/end",
		reason: "there are no spans yet",
		brings: "tracing; the spans of invariant 21 come with it",
	},
	{
		key: "§17 Telemetry: span cleanup",
		reason: "there are no spans yet",
		brings: "tracing",
	},
	{
		key: "§17.3",
		reason: "`Agent` runs one agent: there is no fan-out yet",
		brings: "crew and swarm; the fan-out half of invariants 6 and 22 comes with them",
	},
	{
		key: "§18 Esc ignored during foreground crew/swarm",
		reason: "there is no fan-out yet",
		brings: "crew and swarm",
	},
	{
		key: "§18 Crew/swarm reports completion while member is queued",
		reason: "there is no fan-out yet",
		brings: "crew and swarm",
	},
];
