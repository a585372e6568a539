import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { asyncScheduler, auditTime, distinctUntilChanged, finalize, map, type Subscription } from "rxjs";
import type { Agents } from "../streams/index.ts";
import { statusLine } from "../ui/index.ts";
import { hasUi, whileActive } from "./host-features.ts";

/** The slot in the host's footer. */
const slot = "agents";
/** How often the footer follows at most, in milliseconds. Nothing ticks while nothing changes. */
const pace = 250;

/** Keeps the footer's line about live agents until it is unsubscribed, and clears it then. */
export function showFooterStatus(ctx: ExtensionContext, agents: Agents): Subscription {
	const show = (text: string | undefined): void => whileActive(() => ctx.ui.setStatus(slot, text), undefined);
	return agents.changes$
		.pipe(
			auditTime(pace, asyncScheduler),
			map(() => (hasUi(ctx) ? statusLine(agents.list()) : undefined)),
			distinctUntilChanged(),
			finalize(() => show(undefined)),
		)
		.subscribe({ next: show, error: () => undefined });
}
