/** Random choices that are the same for the same seed, on every machine. */
export interface Prng {
	/** From 0 up to and without 1. */
	next(): number;
	/** An integer from 0 up to and without `below`. */
	below(below: number): number;
	chance(probability: number): boolean;
	pick<T>(choices: readonly [T, ...T[]]): T;
}

/** Mulberry32: 32 bits of state, good enough to scatter choices. */
export function createPrng(seed: number): Prng {
	let state = scatter(seed);
	function next(): number {
		state = (state + 0x6d2b79f5) | 0;
		return scatter(state) / 2 ** 32;
	}
	function below(limit: number): number {
		return Math.floor(next() * limit);
	}
	return {
		next,
		below,
		chance: (probability) => next() < probability,
		pick: (choices) => choices[below(choices.length)] ?? choices[0],
	};
}

/** A 32-bit hash, so that neighbouring numbers have nothing in common. */
export function scatter(value: number): number {
	let hash = Math.imul(value ^ (value >>> 15), 1 | value);
	hash = (hash + Math.imul(hash ^ (hash >>> 7), 61 | hash)) ^ hash;
	return (hash ^ (hash >>> 14)) >>> 0;
}
