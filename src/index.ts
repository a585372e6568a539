import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { registerAgentsCommand } from "./host/agents-command.ts";
import { ownExtensionPaths } from "./host/child-environment-of.ts";
import { showFooterStatus } from "./host/footer-status.ts";
import { type Headless, openHeadless } from "./host/headless.ts";
import { hostFeatures } from "./host/host-features.ts";
import { createLentTools } from "./host/lent-tools.ts";
import { isRestart, parentEvents } from "./host/parent-events.ts";
import { openParentSession, type ParentSession } from "./host/parent-session.ts";
import { publishResults } from "./host/publication.ts";
import { refreshProfiles } from "./host/refresh-profiles.ts";
import { registerTools } from "./host/register-tools.ts";
import { keepRoster } from "./host/roster.ts";
import { reportLeftovers } from "./host/session-leftovers.ts";
import { reportToolConflicts } from "./host/tool-conflicts.ts";
import { toolDeps } from "./host/tool-deps.ts";
import { collectAtStart } from "./host/worktree-start.ts";
import { noticeMessageType, resultMessageType } from "./streams/index.ts";
import {
	composeNote,
	createAgentTool,
	createGetSubagentResultTool,
	createSteerSubagentTool,
	startScheduledJob,
} from "./tools/index.ts";
import { renderNote, toolRenderers } from "./ui/index.ts";

/**
 * The extension. What is registered here lives as long as the host's runtime; what belongs to one session of the parent
 * is a `ParentSession`, opened at `session_start` and ended at `session_shutdown`.
 *
 * Where to go from here: a run → `host/run-agent.ts`; agents, their records and their line → `streams/create-agents.ts`;
 * what reaches the parent → `streams/outbox.ts`; a tool → `tools/`; what an agent gets → `profiles/effective-config.ts`.
 */
export default function orchestrator(pi: ExtensionAPI): void {
	const features = hostFeatures();
	const events$ = parentEvents(pi);
	let session: ParentSession | undefined;
	/** Only in the modes in which the host ends with the answer. */
	let headless: Headless | undefined;

	const deps = toolDeps(() => session);
	const tools = [createAgentTool(deps), createGetSubagentResultTool(deps), createSteerSubagentTool(deps)];
	const lent = createLentTools();
	const tellTools = registerTools(pi, features, tools, toolRenderers, () => session?.recorded(), lent.see);
	registerAgentsCommand(pi, deps, () => session);
	refreshProfiles(pi, () => session, tellTools);
	// Before publication: what is taken over goes beside this very message.
	pi.on("before_agent_start", () => session?.lookAround());
	publishResults(
		pi,
		features,
		() => session?.outbox,
		() => headless,
	);
	keepRoster(pi, () => session);
	const leftovers = reportLeftovers(pi, () => session);
	for (const type of [resultMessageType, noticeMessageType]) pi.registerMessageRenderer(type, renderNote);

	pi.on("session_start", async ({ reason }, ctx) => {
		// Some hosts say it twice for one session.
		if (session?.sessionId === ctx.sessionManager.getSessionId()) return;
		await (headless ?? session)?.end();
		reportToolConflicts(
			pi,
			ctx,
			tools.map(({ name }) => name),
			ownExtensionPaths,
		);
		session = await openParentSession(pi, ctx, {
			events$,
			composeNote,
			muted: isRestart(reason),
			lend: lent.find,
			startScheduled: (job, fire) => startScheduledJob(deps, job, fire),
		});
		tellTools();
		session.attach(showFooterStatus(ctx, session.agents));
		session.attach(collectAtStart(ctx));
		headless = session.oneShot ? openHeadless(pi, ctx, session) : undefined;
		session.schedules.open();
	});
	pi.on("session_shutdown", async (_event, ctx) => {
		const ending = headless ?? session;
		if (session && !headless) leftovers.atEnd(ctx, session);
		session = undefined;
		headless = undefined;
		await ending?.end();
	});
}
