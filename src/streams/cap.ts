/** How many characters of a child's words a result or a note may hold. */
export const bodyLimit = 24_000;

export interface Capped {
	readonly text: string;
	/** How many characters are missing; 0 when nothing was cut. */
	readonly cut: number;
}

/**
 * The text with at most `limit` characters: what is too much is taken out of the middle and named there. Surrogate
 * pairs stay whole. Where not even the words for the cut fit, the head alone is left.
 */
export function capText(text: string, limit: number): Capped {
	if (text.length <= limit) return { text, cut: 0 };
	// The number that is shown in the end is no longer than the one measured here.
	const room = limit - cutMark(text.length).length;
	if (room < 2) {
		const head = text.slice(0, wholeEnd(text, Math.max(0, limit)));
		return { text: head, cut: text.length - head.length };
	}
	const headLength = Math.ceil(room / 2);
	const head = text.slice(0, wholeEnd(text, headLength));
	const tail = text.slice(wholeStart(text, text.length - (room - headLength)));
	const cut = text.length - head.length - tail.length;
	return { text: head + cutMark(cut) + tail, cut };
}

/**
 * Shares `total` among texts of these lengths: nobody gets more than it needs, and what short ones leave goes to the
 * long ones in equal parts.
 */
export function shareLimit(lengths: readonly number[], total: number): readonly number[] {
	const shares = lengths.map(() => 0);
	const shortestFirst = lengths.map((length, index) => ({ length, index })).sort((a, b) => a.length - b.length);
	let rest = total;
	shortestFirst.forEach(({ length, index }, served) => {
		const share = Math.min(length, Math.floor(rest / (lengths.length - served)));
		shares[index] = share;
		rest -= share;
	});
	return shares;
}

function cutMark(count: number): string {
	return `\n\n[… ${count} characters cut here …]\n\n`;
}

function wholeEnd(text: string, end: number): number {
	return splitsPair(text, end) ? end - 1 : end;
}

function wholeStart(text: string, start: number): number {
	return splitsPair(text, start) ? start + 1 : start;
}

function splitsPair(text: string, at: number): boolean {
	return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, at - 1), at + 1));
}
