import { firstValueFrom } from "rxjs";
import { ScheduleRefused, type Schedules } from "../streams/index.ts";
import { type AgentsCommand, resolveId, scheduleChanged, schedulesTable } from "../ui/index.ts";

const ended = { text: "The session has ended.", ok: false };

/** Lists the schedules, or changes the one that is named; answers when that is written down. */
export async function runSchedulesCommand(
	{ act, id }: Extract<AgentsCommand, { readonly type: "schedules" }>,
	schedules: Schedules<unknown>,
): Promise<{ readonly text: string; readonly ok: boolean }> {
	const known = schedules.list().map(({ scheduleId }) => scheduleId);
	if (act === undefined) return { text: schedulesTable(schedules.list()), ok: true };
	const resolved = resolveId(id, known, "schedule");
	if (!resolved.ok) return { text: resolved.problem, ok: false };
	try {
		const changed = await firstValueFrom(schedules[act](resolved.id), { defaultValue: undefined });
		return changed === undefined ? ended : { text: scheduleChanged(act, changed), ok: true };
	} catch (error) {
		if (error instanceof ScheduleRefused) return { text: error.message, ok: false };
		throw error;
	}
}
