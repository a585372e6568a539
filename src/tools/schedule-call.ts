import type { Observable } from "rxjs";
import { type ReadSchedule, type ScheduleReceipt, ScheduleRefused } from "../streams/schedules.ts";
import type { AgentPlan } from "./agent-plan.ts";
import { problemAnswer } from "./answers.ts";
import { longestText } from "./check-together.ts";
import { problemDetails } from "./details.ts";
import type { AgentParams } from "./parameters.ts";
import type { ToolAnswer, ToolCall } from "./protocol-tool.ts";
import { scheduledJob } from "./scheduled-job.ts";
import { ToolCallAborted } from "./tool-call-aborted.ts";
import type { ToolDeps } from "./tool-deps.ts";
import { unlessAborted } from "./unless-aborted.ts";

/** A schedule that was made, for rendering. */
export interface ScheduleDetails {
	readonly kind: "schedule";
	readonly schedule_id: string;
	readonly toolCallId: string;
	readonly words: string;
	/** The next times, at most three. */
	readonly next: readonly string[];
}

/**
 * What the text of a call's schedule says, or what is wrong with it; `undefined` where the call has none, or one that has
 * been named as wrong in itself. Emits once; never errors.
 */
export function readCallSchedule(deps: ToolDeps, params: AgentParams): Observable<ReadSchedule> | undefined {
	const text: unknown = typeof params === "object" && params !== null ? params.schedule : undefined;
	if (typeof text !== "string" || text.trim() === "" || text.length > longestText.schedule) return undefined;
	return deps.schedules?.read(text);
}

/** Makes the schedule that a call asks for. Nothing starts before its time. */
export async function makeSchedule(deps: ToolDeps, call: ToolCall<AgentParams>, plan: AgentPlan): Promise<ToolAnswer> {
	const { toolCallId, params, signal } = call;
	const { schedules } = deps;
	if (schedules === undefined || params.schedule === undefined) {
		return problemAnswer(toolCallId, nothing, ["this session cannot keep schedules: it ends with its answer"]);
	}
	const receipt$ = schedules.add({
		text: params.schedule,
		job: scheduledJob(params),
		description: plan.description,
		toolCallId,
	});
	try {
		const made = await unlessAborted(receipt$, signal);
		if (made.aborted) {
			const text = "The call was aborted before the schedule was written down: there is none.";
			throw new ToolCallAborted(made.reason, text, problemDetails(toolCallId, [text]));
		}
		if (made.value === undefined) return problemAnswer(toolCallId, nothing, ["the session is ending"]);
		return receipt(call, made.value);
	} catch (error) {
		if (error instanceof ScheduleRefused) return problemAnswer(toolCallId, nothing, [error.message]);
		throw error;
	}
}

const nothing = "Nothing was scheduled";

function receipt(call: ToolCall<AgentParams>, { scheduleId, words, next, sessionOnly }: ScheduleReceipt): ToolAnswer {
	const lines = [
		`schedule_id: ${scheduleId}`,
		`when: ${words}`,
		...next.map((time) => `next: ${time}`),
		"",
		sessionOnly
			? "It ends with this session, which is not kept."
			: "It is kept with this session, and goes on when that is resumed.",
		"Each time it starts in the background, and its result comes as a message. A person can see, pause and cancel it with /agents schedules.",
	];
	return {
		text: lines.join("\n"),
		details: { kind: "schedule", schedule_id: scheduleId, toolCallId: call.toolCallId, words, next },
		isError: false,
	};
}
