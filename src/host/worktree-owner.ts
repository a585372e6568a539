import { processStart } from "./process-start.ts";

/** A process, by its id and the time at which it began: an id alone is given to others after a while. */
export interface ProcessOwner {
	readonly pid: number;
	/** As `processStart` tells it; `undefined` where it was not known. */
	readonly started: string | undefined;
}

export async function thisProcess(): Promise<ProcessOwner> {
	return { pid: process.pid, started: await processStart(process.pid) };
}

/** Whether that very process still runs. */
export async function isRunning(owner: ProcessOwner): Promise<boolean> {
	const started = await processStart(owner.pid);
	return started !== undefined && (owner.started === undefined || owner.started === started);
}
