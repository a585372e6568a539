import type { Observable } from "rxjs";
import type { AgentId } from "./ids.ts";
import type { AgentRecord } from "./record.ts";
import { addSpend, noSpend, type Spend, subtractSpend } from "./usage.ts";

/** Hands out spend so that every token is carried to the parent by exactly one result. */
export interface SpendWatermark {
	/** What all agents have spent since the last time. */
	take(): Spend;
	/** Something of what is still to be handed out has been carried by another result. */
	carry(spend: Spend): void;
	/** What has been handed out or carried so far. */
	readonly carried: Spend;
}

/** The agents whose spend is handed out: those there are, and each new snapshot. */
export interface SpendingAgents {
	list(): readonly AgentRecord[];
	readonly changes$: Observable<AgentRecord>;
}

/** What is known of an agent's spend, and from which of its runs. */
interface Known {
	readonly run: number;
	readonly spend: Spend;
}

/** A watermark over all agents, which follows their changes until these complete. `before` has been carried already. */
export function createSpendWatermark(agents: SpendingAgents, before: Spend = noSpend): SpendWatermark {
	const known = new Map<AgentId, Known>();
	let carried = before;
	let waiting = subtractSpend(noSpend, before);
	const note = ({ agentId, run, spend }: AgentRecord): void => {
		const last = known.get(agentId);
		// A snapshot of an earlier run may come late: what it adds is in the record of the run after it.
		if (last?.spend === spend || (last?.run ?? 0) > run) return;
		waiting = addSpend(waiting, subtractSpend(spend, last?.spend ?? noSpend));
		known.set(agentId, { run, spend });
	};
	for (const record of agents.list()) note(record);
	// Ends with the agents, who own it.
	void agents.changes$.subscribe({ next: note, error: () => undefined });
	return {
		take: () => {
			const taken = waiting;
			waiting = noSpend;
			carried = addSpend(carried, taken);
			return taken;
		},
		carry: (spend) => {
			waiting = subtractSpend(waiting, spend);
			carried = addSpend(carried, spend);
		},
		get carried() {
			return carried;
		},
	};
}
