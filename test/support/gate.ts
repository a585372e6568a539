/** A door that a test opens: whoever awaits `opened` goes on once `open` was called. */
export interface Gate<T = void> {
	readonly opened: Promise<T>;
	open(value: T): void;
}

/** A closed gate. */
export function createGate<T = void>(): Gate<T> {
	let open: (value: T) => void = () => {};
	const opened = new Promise<T>((resolve) => {
		open = resolve;
	});
	return { opened, open };
}
