/**
 * A function that hands each item to `tell` in the order in which they came, and never from inside `tell`: an item that
 * comes while another is being told waits for it.
 */
export function inOrder<T extends object>(tell: (item: T) => void): (item: T) => void {
	const line: T[] = [];
	let telling = false;
	return (item) => {
		line.push(item);
		if (telling) return;
		telling = true;
		for (let next = line.shift(); next !== undefined; next = line.shift()) tell(next);
		telling = false;
	};
}
