/** A demand of the contract that has no test yet, and cannot have one before the work that brings it. */
export interface Later {
	readonly key: string;
	readonly reason: string;
	readonly brings: string;
}

/** As short as can be. An entry goes when its work comes: the check fails on one that is no hole any more. */
export const later: readonly Later[] = [
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
];
