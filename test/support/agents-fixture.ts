import type { Observable } from "rxjs";
import { of } from "rxjs";
import type { TestScheduler } from "rxjs/testing";
import {
	type AgentRecord,
	type Agents,
	createAgents,
	type SpawnRequest,
	type StartRun,
	toCorrelationId,
} from "../../src/streams/index.ts";
import { agentId, testConfig } from "./run-script.ts";

export interface FixtureOptions {
	readonly maxConcurrent$?: Observable<number>;
	readonly maxAgents?: number;
	readonly maxDepth?: number;
	readonly maxZombies?: number;
	readonly maxCost?: number;
}

/** Agents in virtual time; their ids are `agent1`, `agent2`, … */
export function agentsFixture(startRun: StartRun, scheduler: TestScheduler, options: FixtureOptions = {}): Agents {
	let ids = 0;
	return createAgents({
		startRun,
		scheduler,
		maxConcurrent$: options.maxConcurrent$ ?? of(4),
		maxAgents: () => options.maxAgents ?? 64,
		maxDepth: () => options.maxDepth ?? 9,
		maxZombies: () => options.maxZombies ?? 8,
		maxCost: () => options.maxCost,
		newIds: () => ({ agentId: agentId(`agent${++ids}`), correlationId: toCorrelationId(`c${ids}`) }),
	});
}

/** A request for a foreground agent, with whatever a test wants otherwise. */
export function request(over: Partial<SpawnRequest> = {}): SpawnRequest {
	return { prompt: "do it", description: "do", config: testConfig, background: false, ...over };
}

/** A record as a word: its status, the reason where it is not the plain one, and `!` while it is being stopped. */
export function word(record: AgentRecord): string {
	if (record.status === "queued") return "queued";
	if (record.status === "running") return record.stopping ? "stopping" : "running";
	const { reason } = record.outcome.verdict;
	return reason === "done" ? record.status : `${record.status}:${reason}`;
}
