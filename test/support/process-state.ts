/** What a process has open that ends with nothing but its owner, by kind and count. */
export interface ProcessState {
	/** Timers, processes, files that are watched, signals that are waited for. Sockets are for their server to count. */
	readonly resources: Readonly<Record<string, number>>;
	/** Listeners of the process itself, over all of its events. */
	readonly listeners: number;
}

export function processState(): ProcessState {
	const resources: Record<string, number> = {};
	for (const kind of process.getActiveResourcesInfo()) {
		if (/Timeout|Immediate|Process|FSEvent|Signal|FSReq|FileHandle|Worker/.test(kind)) {
			resources[kind] = (resources[kind] ?? 0) + 1;
		}
	}
	const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
	return { resources, listeners };
}
