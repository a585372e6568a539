import { finish } from "./play.ts";
import { checkKilled, checkStep } from "./rules.ts";
import { openStage } from "./stage.ts";
import { type Word, words } from "./words.ts";

/** What came of all orderings. */
export interface Tried {
	readonly orderings: number;
	/** How many there were of each length. */
	readonly ofLength: readonly number[];
	/** What became of runs, over all orderings. */
	readonly ends: ReadonlySet<string>;
	/** The shortest ordering that broke a rule, and the rule. */
	readonly failure?: { readonly ordering: readonly string[]; readonly rule: string };
}

/** One of several parts of the work, counted from 0. */
export interface Share {
	readonly index: number;
	readonly of: number;
}

/** Orderings of this length are dealt out among the shares, each with all that is built upon it. */
const dealtLength = 4;

/**
 * Plays every ordering of `words` up to `longest` of them, each from its beginning and to an end of its own. What may
 * come next is asked of the facts after an ordering's last word. Nothing is built upon an ordering that broke a rule,
 * and nothing longer than the shortest of those is tried.
 */
export function tryAllOrderings(longest: number, share: Share = { index: 0, of: 1 }): Tried {
	const ofLength: number[] = [];
	const ends = new Set<string>();
	let failure: Tried["failure"];
	let dealt = 0;

	/** Shorter ones than those dealt out are played by every share, and are the first one's to count. */
	function isMine({ length }: readonly Word[]): boolean {
		if (length === dealtLength) return dealt++ % share.of === share.index;
		return length > dealtLength || share.index === 0;
	}
	function extend(ordering: readonly Word[], next: readonly Word[]): void {
		if (ordering.length >= (failure ? failure.ordering.length - 1 : longest)) return;
		for (const word of next) {
			const longer = [...ordering, word];
			const mine = isMine(longer);
			if (mine) ofLength[longer.length - 1] = (ofLength[longer.length - 1] ?? 0) + 1;
			else if (longer.length === dealtLength) continue;
			try {
				extend(longer, play(longer, ends));
			} catch (error) {
				failure = { ordering: longer.map((each) => each.word), rule: String(error) };
			}
		}
	}
	extend([], words.slice(0, 1));
	const orderings = ofLength.reduce((sum, count) => sum + count, 0);
	return { orderings, ofLength, ends, ...(failure ? { failure } : {}) };
}

/** Plays one ordering; returns the words that may come after it. */
function play(ordering: readonly Word[], ends: Set<string>): readonly Word[] {
	const stage = openStage();
	// The rules have been held up to every earlier step already: what comes before is an ordering of its own.
	for (const word of ordering) word.play(stage);
	if (ordering.at(-1)?.last) {
		checkKilled(stage);
		return [];
	}
	checkStep(stage);
	const next = words.filter((word) => word.may(stage.facts, stage));
	for (const end of finish(stage)) ends.add(end);
	return next;
}
