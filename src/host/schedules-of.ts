import { randomBytes } from "node:crypto";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { asyncScheduler, defer } from "rxjs";
import type { Settings } from "../profiles/index.ts";
import { createSchedules, type ScheduleId, type Schedules, type StartScheduled } from "../streams/index.ts";
import type { ScheduledJob } from "../tools/index.ts";
import { loadCron } from "./cron.ts";
import { whileActive } from "./host-features.ts";
import { createScheduleStore } from "./schedule-store.ts";
import type { SessionLease } from "./session-lease.ts";

/** What the schedules of a session are made of. */
export interface ScheduleParts {
	readonly settings: Settings;
	/** The session's folder; `undefined` when the session is not kept. */
	readonly folder: string | undefined;
	readonly lease: SessionLease;
	readonly start: StartScheduled<ScheduledJob>;
	/** Whether the host ends with the first answer. */
	readonly oneShot: boolean;
}

/** The schedules of the parent's session: those it had before go on from here. */
export function schedulesOf(ctx: ExtensionContext, parts: ScheduleParts): Schedules<ScheduledJob> {
	const { settings, folder, lease, start, oneShot } = parts;
	const notify = (text: string, level: "info" | "warning"): void => {
		whileActive(() => ctx.ui.notify(text, level), undefined);
	};
	return createSchedules({
		store: createScheduleStore({ folder, parseJob, notify }),
		lease: { acquire: () => defer(() => lease.acquire()) },
		start,
		cron$: defer(loadCron),
		scheduler: asyncScheduler,
		zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
		missed: () => settings.missedSchedules,
		newId: () => `s-${randomBytes(4).toString("hex")}` as ScheduleId,
		notify,
		...(oneShot ? { refuse: "In print and json mode nothing can be scheduled: Pi ends with the answer." } : {}),
	});
}

/** The parameters of a call, which are checked like those of any other when the job starts. */
function parseJob(job: unknown): ScheduledJob | undefined {
	return typeof job === "object" && job !== null && !Array.isArray(job) ? (job as ScheduledJob) : undefined;
}
