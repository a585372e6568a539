import type { ExtensionAPI, ExtensionContext, ExtensionFactory } from "@earendil-works/pi-coding-agent";
import {
	asyncScheduler,
	defaultIfEmpty,
	defer,
	filter,
	firstValueFrom,
	map,
	merge,
	NEVER,
	of,
	take,
	takeUntil,
} from "rxjs";
import { fromAbortSignal } from "../operators/index.ts";
import { type ExtensionTool, type ParentFacts, profilesOf, type Settings } from "../profiles/index.ts";
import {
	type AgentId,
	type AgentRecord,
	type Agents,
	agentsAbove,
	agentsOf,
	createOutbox,
	createSettleHold,
	type Group,
	type Groups,
	groupsOf,
	keepPublishable,
	type Note,
	noSpend,
	type Offer,
	type Outbox,
	type Publishable,
	type RunSpec,
	type TerminalRecord,
} from "../streams/index.ts";
import {
	createAgentTool,
	createGetSubagentResultTool,
	createSteerSubagentTool,
	type ToolDeps,
} from "../tools/index.ts";
import { readConversation } from "./child-conversation.ts";
import { holdRoutes } from "./headless.ts";
import type { HeldMail } from "./held-mail.ts";
import { hostFeatures } from "./host-features.ts";
import type { ModelScope } from "./model-scope.ts";
import { readParentFacts } from "./parent-facts.ts";
import { createParentPort } from "./parent-port.ts";
import type { ProfileFiles } from "./profile-files.ts";
import { type Holding, publishResults } from "./publication.ts";
import { registerTools } from "./register-tools.ts";
import { keepRoster } from "./roster.ts";
import { readSessionFacts } from "./session-facts.ts";

/** What agents that delegate share with the session that they belong to. */
export interface DelegatingSession {
	/** All agents of the session, and all groups. */
	readonly agents: Agents;
	readonly groups: Groups;
	readonly settings: Settings;
	readonly profiles: Pick<ProfileFiles, "profiles" | "refresh">;
	compose(records: readonly TerminalRecord[], groupOf: (record: TerminalRecord) => Group | undefined): Note;
	fullTextPath(record: TerminalRecord): Promise<string | undefined>;
	recorded(): Promise<void>;
	/** Its models are limited for its agents' agents as well. */
	readonly modelScope: ModelScope;
	/** The session's: an agent's own session does not tell where the tools are from that are lent to it. */
	extensionTools(): readonly ExtensionTool[];
}

/**
 * The extension by which a run starts agents of its own: the three tools, and what brings their results. `undefined` where
 * its configuration lets it start none. All of it ends when `halt` aborts.
 */
export type Delegate = (spec: RunSpec, halt: AbortSignal, mail: HeldMail) => ExtensionFactory | undefined;

/** Lets the agents of a session delegate. Subscribes to what they are to get until the session's agents have ended. */
export function createDelegate(session: DelegatingSession): Delegate {
	const results = keepPublishable(session.agents.publishable$);
	return (spec, halt, mail) => {
		if (spec.config.subagents === undefined) return undefined;
		return (pi) => delegate(pi, { session, spec, halt, mail, resultsOf: results.of });
	};
}

interface Delegating {
	readonly session: DelegatingSession;
	readonly spec: RunSpec;
	readonly halt: AbortSignal;
	readonly mail: HeldMail;
	readonly resultsOf: ReturnType<typeof keepPublishable>["of"];
}

/** What lives as long as the agent's session does. */
interface NestedSession extends Holding {
	readonly outbox: Outbox;
	readonly facts: () => ParentFacts;
}

function delegate(pi: ExtensionAPI, delegating: Delegating): void {
	const { session } = delegating;
	const features = hostFeatures();
	let nested: NestedSession | undefined;
	const deps = depsOf(delegating, () => {
		if (nested === undefined) throw new Error("The agent's session has not begun.");
		return nested.facts();
	});
	const tools = [createAgentTool(deps), createGetSubagentResultTool(deps), createSteerSubagentTool(deps)];
	// Nobody looks at it: a child has no screen.
	registerTools(
		pi,
		features,
		tools,
		() => ({}),
		() => session.recorded(),
	);
	publishResults(
		pi,
		features,
		() => nested?.outbox,
		() => nested,
	);
	keepRoster(pi, () => deps);
	pi.on("tool_call", async ({ toolName }) => {
		if (toolName === "Agent") await session.profiles.refresh();
		return undefined;
	});
	pi.on("session_start", (_event, ctx) => {
		nested ??= openNested(pi, ctx, delegating, deps);
	});
}

/** What the tools need, as the agent has it. What it spends is on its own record, and carried by a result of the session. */
function depsOf({ session, spec }: Delegating, parent: () => ParentFacts): ToolDeps {
	const agents = agentsOf(session.agents, spec.agentId);
	return {
		agents,
		groups: groupsOf(session.groups, spec.agentId),
		settings: () => session.settings,
		oneShot: () => true,
		profiles: () => profilesOf(session.profiles.profiles(), spec.config),
		parent,
		fullTextPath: (record) => session.fullTextPath(record),
		conversation: (agentId) => readConversation(agents.get(agentId)),
		takeSpend: () => noSpend,
		recorded: () => session.recorded(),
		scheduler: asyncScheduler,
	};
}

function openNested(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	{ session, spec, halt, mail, resultsOf }: Delegating,
	{ agents, groups }: ToolDeps,
): NestedSession {
	const isNews = hasNot(ctx);
	const outbox = createOutbox({
		publishable$: resultsOf(spec.agentId).pipe(filter(isNews)),
		// It is never woken: it does not settle before its agents have.
		activity$: NEVER,
		port: createParentPort(pi, ctx),
		compose: (records) => session.compose(records, ({ agentId }) => groups.of(agentId)),
		scheduler: asyncScheduler,
	});
	const hold = createSettleHold({ agents, outbox, routes: holdRoutes, scheduler: asyncScheduler });
	const ready = (): Pick<Offer, "note"> | undefined => {
		const note = holdRoutes.reduce<Note | undefined>((found, route) => found ?? outbox.take(route), undefined);
		return note && { note };
	};
	// Who has been asked to wrap up is not held any more: what is ready goes along, and what is not ends with it.
	const news$ = defer(() =>
		isWrappingUp(session.agents.get(spec.agentId)) ? of(ready()) : hold.next$.pipe(defaultIfEmpty(undefined)),
	);
	// What it is sent meanwhile it reads now, and is held again afterwards: this is the boundary that it waits for.
	const mail$ = mail.waiting$.pipe(
		take(1),
		map(() => mail.handOver()),
	);
	const halted$ = fromAbortSignal(halt);
	void firstValueFrom(halted$, { defaultValue: undefined }).then(outbox.close);
	return {
		outbox,
		facts: () => ({
			...readParentFacts(pi, ctx, session.modelScope),
			...placeOf(session.agents, spec.agentId),
			extensionTools: session.extensionTools,
		}),
		next: async () => {
			// It has answered with its last turn, and would be stopped in the next: what is left goes as it would with its end.
			if (!mail.mayGoOn()) return undefined;
			const found = await firstValueFrom(merge(mail$, news$).pipe(takeUntil(halted$)), { defaultValue: undefined });
			return found ?? undefined;
		},
		runSettled: hold.settled,
	};
}

function isWrappingUp(record: AgentRecord | undefined): boolean {
	return record?.status === "running" && record.wrapUpAsked;
}

/** Whether a result is not in the agent's conversation yet. In an earlier life of the session it may have got there. */
function hasNot(ctx: ExtensionContext): (publishable: Publishable) => boolean {
	const { delivered } = readSessionFacts(ctx.sessionManager.getEntries());
	return ({ key, claim }) => {
		if (!delivered.has(key)) return true;
		claim.handOver()?.commit();
		return false;
	};
}

/** How deep an agent is, and whether it works in a worktree, its own or that of an agent above it. */
function placeOf(agents: Agents, agentId: AgentId): Pick<ParentFacts, "depth" | "isolation"> {
	const record = agents.get(agentId);
	if (record === undefined) return {};
	const above = agentsAbove(record, agents.get);
	const isIsolated = [agentId, ...above].some((id) => agents.get(id)?.config.isolation !== undefined);
	return { depth: above.length + 1, ...(isIsolated ? { isolation: "worktree" } : {}) };
}
