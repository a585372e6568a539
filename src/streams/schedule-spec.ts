/** A validated time or rhythm. Plain JSON, so that a store can keep it; nothing in it depends on when it is read. */
export type ScheduleSpec =
	/** A cron pattern of 5 or 6 fields (seconds first), read in `zone`. */
	| { readonly kind: "cron"; readonly pattern: string; readonly zone: string }
	/** Every `ms` milliseconds, counted from `anchor`, which is itself no time of it. Elapsed time: no clock change moves it. */
	| { readonly kind: "every"; readonly ms: number; readonly anchor: number; readonly zone: string }
	/** One instant. */
	| { readonly kind: "once"; readonly at: number; readonly zone: string };

/** Cron arithmetic: a library behind it is loaded when the first pattern is met, so streams only know this. */
export interface Cron {
	/** What is wrong with a pattern, in words; `undefined` when it can be used. */
	problem(pattern: string, zone: string): string | undefined;
	/** The first time strictly after `from` (milliseconds since the epoch); `undefined` when there is none. */
	after(pattern: string, zone: string, from: number): number | undefined;
}
