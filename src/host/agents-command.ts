import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { lastValueFrom, toArray } from "rxjs";
import { orchestrationTools } from "../profiles/index.ts";
import { type AgentId, type Agents, type Groups, type Schedules, SteerRefused } from "../streams/index.ts";
import { goOn, resumeAgent, type ToolDeps } from "../tools/index.ts";
import {
	agentsCompletions,
	agentsHelp,
	agentsTable,
	allIds,
	parseAgentsCommand,
	resolveId,
	type StopTargets,
	selectToStop,
	showAgent,
	showGroup,
	stopReport,
} from "../ui/index.ts";
import { examine, type Patient } from "./doctor.ts";
import { runSchedulesCommand } from "./schedules-command.ts";
import { tell } from "./tell.ts";

/** What the command is about, of the current session. */
export interface CommandedAgents {
	readonly agents: Agents;
	readonly groups: Groups;
	readonly schedules: Schedules<unknown>;
}

type Session = CommandedAgents & Patient;

/** Registers `/agents`. It works in every mode that has commands; `session` gives the current one's agents. */
export function registerAgentsCommand(pi: ExtensionAPI, deps: ToolDeps, session: () => Session | undefined): void {
	pi.registerCommand("agents", {
		description: "List, show, stop, resume and steer subagents",
		getArgumentCompletions: (typed) =>
			agentsCompletions(typed, session()?.agents.list() ?? [], session()?.groups.list(), session()?.schedules.list()),
		handler: async (args, ctx) => {
			const current = session();
			const reply = current
				? await runCommand(args, current, () => examine(pi, ctx, current, orchestrationTools), deps)
				: none;
			tell(ctx, reply.text, reply.ok ? "info" : "warning");
		},
	});
}

interface Reply {
	readonly text: string;
	readonly ok: boolean;
}

const none: Reply = { text: "There is no session with agents.", ok: false };

/** What a command comes to. Stopping answers when everything it is about has come to rest or is known not to have. */
async function runCommand(
	args: string,
	{ agents, groups, schedules }: CommandedAgents,
	doctor: () => Promise<Reply>,
	deps: ToolDeps,
): Promise<Reply> {
	const command = parseAgentsCommand(args);
	switch (command.type) {
		case "list":
			return { text: agentsTable(agents.list(), Date.now(), groups.list()), ok: true };
		case "doctor":
			return doctor();
		case "help":
			return { text: agentsHelp(), ok: true };
		case "schedules":
			return runSchedulesCommand(command, schedules);
		case "problem":
			return { text: command.message, ok: false };
		case "show":
			return show(command.id, agents, groups);
		case "resume":
			return withAgent(command.id, agents, (id) => resume(deps, agents, id, command.message ?? goOn));
		case "steer":
			return withAgent(command.id, agents, (id) => steer(agents, id, command.message));
		case "stop":
			return stop(agents, groups, command.targets);
	}
}

function withAgent(given: string, agents: Agents, act: (id: AgentId) => Reply): Reply {
	const resolved = resolveId(
		given,
		agents.list().map((record) => record.agentId),
	);
	return resolved.ok ? act(resolved.id) : { text: resolved.problem, ok: false };
}

function show(given: string, agents: Agents, groups: Groups): Reply {
	const resolved = resolveId(given, allIds(agents.list(), groups.list()));
	if (!resolved.ok) return { text: resolved.problem, ok: false };
	const group = groups.list().find(({ groupId }) => groupId === resolved.id);
	if (group !== undefined) return { text: showGroup(group), ok: true };
	const record = agents.list().find(({ agentId }) => agentId === resolved.id);
	if (record === undefined) return { text: `There is no agent ${resolved.id}.`, ok: false };
	return { text: showAgent(record, Date.now()), ok: true };
}

function steer(agents: Agents, id: AgentId, message: string): Reply {
	try {
		const receipt = agents.steer(id, message);
		const when = receipt === "held" ? "held until its session exists" : "queued for its next turn";
		return { text: `Message for ${id} ${when}.`, ok: true };
	} catch (error) {
		if (error instanceof SteerRefused) return { text: error.message, ok: false };
		throw error;
	}
}

function resume(deps: ToolDeps, agents: Agents, id: AgentId, message: string): Reply {
	const parent = agents.get(id)?.parent;
	if (parent !== undefined) {
		return {
			text: `${id} was started by ${parent}, which alone can go on with it: resume ${parent} instead.`,
			ok: false,
		};
	}
	const resumed = resumeAgent(deps, id, message);
	if (!resumed.ok) return { text: resumed.problem, ok: false };
	const how = resumed.value.status === "queued" ? "waits for a free slot to go on" : "goes on";
	return { text: `${id} ${how} in the background; its result comes as a message.`, ok: true };
}

async function stop(agents: Agents, groups: Groups, targets: StopTargets): Promise<Reply> {
	const selection = selectToStop(targets, agents.list(), groups.list());
	if (!selection.ok) return { text: selection.problems.join("\n"), ok: false };
	if (selection.ids.length === 0) return { text: "There is nothing to stop.", ok: true };
	const stopped$ = agents.stop(selection.ids, { status: "stopped", reason: "stopped_by_user" });
	const reports = await lastValueFrom(stopped$.pipe(toArray()), { defaultValue: [] });
	const text = stopReport(targets, reports, groups.list());
	return { text, ok: reports.every(({ result }) => result !== "unverified") };
}
