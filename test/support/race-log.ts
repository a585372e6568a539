import type { Mark } from "./race-diagram.ts";

/** What came of each row, by frame. */
export interface RaceLog {
	readonly rows: ReadonlyMap<string, readonly Mark[]>;
	note(row: string, letter: string): void;
	/** Like `note`, unless the row's last letter is the same. */
	noteChange(row: string, letter: string): void;
	/** From here on nothing is written down. */
	close(): void;
}

export function createRaceLog(clock: { readonly frame: number }): RaceLog {
	const rows = new Map<string, Mark[]>();
	let closed = false;
	function note(row: string, letter: string): void {
		if (!closed) rows.set(row, [...(rows.get(row) ?? []), { frame: clock.frame, letter }]);
	}
	return {
		rows,
		note,
		noteChange: (row, letter) => {
			if (rows.get(row)?.at(-1)?.letter !== letter) note(row, letter);
		},
		close: () => {
			closed = true;
		},
	};
}
