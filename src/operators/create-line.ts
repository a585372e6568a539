/** A first-in, first-out line that anyone can leave from the middle. */
export interface Line<T> {
	readonly size: number;
	/** Puts `item` at the end; the returned function takes it out again, if it is still there. */
	join(item: T): () => void;
	/** Takes the first one out; `undefined` when nobody is in line. */
	next(): T | undefined;
}

/**
 * A line whose every operation takes constant time on average, and that keeps nothing of those who left. Tickets are
 * counted up; `head` walks over the tickets of those who left and never back. (Taking from the front of an array or of
 * a `Set` costs time in proportion to its length, which tells at tens of thousands.)
 */
export function createLine<T>(): Line<T> {
	const items = new Map<number, T>();
	let head = 0;
	let tail = 0;
	return {
		get size() {
			return items.size;
		},
		join(item) {
			const ticket = tail++;
			items.set(ticket, item);
			return () => {
				items.delete(ticket);
			};
		},
		next() {
			while (head < tail) {
				const item = items.get(head);
				if (items.delete(head++)) return item;
			}
			return undefined;
		},
	};
}
