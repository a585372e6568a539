import { randomUUID } from "node:crypto";
import { processStart } from "./process-start.ts";

/** Who has the session open from now on: this process, and this time that it has it. */
export async function writerName(): Promise<string> {
	return `${process.pid}/${randomUUID()}/${(await processStart(process.pid)) ?? "unknown"}`;
}

/** Whether a writer's process lives. Of this one's earlier writers none has a session open any more. */
export async function isWriterAlive(writer: string): Promise<boolean> {
	const [, pid, started] = /^(\d+)\/[^/]*\/(.*)$/.exec(writer) ?? [];
	if (pid === undefined || Number(pid) === process.pid) return false;
	return (await processStart(Number(pid))) === started;
}
