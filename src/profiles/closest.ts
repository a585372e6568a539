/** Longer input than any name that exists is cut before it is compared, so that the cost stays bounded. */
const longestCompared = 64;

/** The candidates, those most like the given name first; equals keep their order. */
export function byCloseness(name: string, candidates: readonly string[]): readonly string[] {
	const distances = new Map(candidates.map((candidate) => [candidate, distance(fold(name), fold(candidate))]));
	return [...candidates].sort((a, b) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0));
}

/** The candidate that was probably meant: a third of its letters or fewer are wrong. `undefined` when none is near. */
export function closest(name: string, candidates: readonly string[]): string | undefined {
	const nearest = byCloseness(name, candidates)[0];
	if (nearest === undefined) return undefined;
	const allowed = Math.max(1, Math.floor(Math.max(fold(name).length, nearest.length) / 3));
	return distance(fold(name), fold(nearest)) <= allowed ? nearest : undefined;
}

/** Case, dashes and underscores are what people mix up; they make no name another one. */
function fold(name: string): string {
	return name
		.slice(0, longestCompared)
		.toLowerCase()
		.replace(/[-_\s]/g, "");
}

/** How many letters must be put in, taken out, changed or swapped with the next to make one word of the other. */
function distance(from: string, to: string): number {
	let last: number[] = [];
	let row = Array.from({ length: to.length + 1 }, (_, index) => index);
	for (let i = 1; i <= from.length; i++) {
		const next = [i];
		for (let j = 1; j <= to.length; j++) {
			const changed = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
			const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
			const swapped = isSwap ? (last[j - 2] ?? 0) + 1 : changed;
			next.push(Math.min(changed, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
		}
		last = row;
		row = next;
	}
	return row[to.length] ?? 0;
}
