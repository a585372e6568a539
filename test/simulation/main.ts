import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { explainFailure } from "./explain-failure.ts";
import { simulateSeeds } from "./simulate-seeds.ts";

/** What a worker is told, and what it tells. */
interface Share {
	readonly agents: number;
	readonly first: number;
	readonly stride: number;
}
interface Outcome {
	readonly agents: number;
	readonly steps: number;
	/** What broke, with a short script for it. */
	readonly failure: string | undefined;
}

/** Simulates as many agents as asked on every core, and ends with what came of it: `--agents 100000 --seed 1`. */
async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			agents: { type: "string", default: "100000" },
			seed: { type: "string", default: "1" },
			workers: { type: "string", default: String(availableParallelism()) },
		},
	});
	const agents = positive(values.agents);
	const first = positive(values.seed);
	const workers = positive(values.workers);
	const begun = performance.now();
	const shares = Array.from({ length: workers }, (_, index) => ({
		agents: Math.ceil(agents / workers),
		first: first + index,
		stride: workers,
	}));
	const outcomes = await Promise.all(shares.map(inWorker));
	const sum = (key: "agents" | "steps"): number => outcomes.reduce((total, outcome) => total + outcome[key], 0);
	const minutes = (performance.now() - begun) / 60_000;
	for (const { failure } of outcomes) if (failure !== undefined) console.error(failure);
	console.log(`simulated: ${sum("agents")} agents, ${sum("steps")} steps, seed ${first}`);
	// The second number says what a machine can do that has nothing else to do.
	const { user, system } = process.cpuUsage();
	const cpuMinutes = (user + system) / 60_000_000;
	const rates = [minutes, cpuMinutes].map((time) => Math.round(sum("agents") / time));
	console.log(`${rates[0]} agents a minute on ${workers} threads, ${rates[1]} a minute of one core`);
	process.exitCode = outcomes.some(({ failure }) => failure !== undefined) ? 1 : 0;
}

function positive(text: string): number {
	const value = Number(text);
	if (!Number.isSafeInteger(value) || value < 1) throw new Error(`"${text}" is no whole number above 0`);
	return value;
}

function inWorker(share: Share): Promise<Outcome> {
	return new Promise((resolve, reject) => {
		const worker = new Worker(new URL(import.meta.url), { workerData: share });
		worker.once("message", resolve);
		worker.once("error", reject);
	});
}

async function work({ agents, first, stride }: Share): Promise<void> {
	const { failure, ...totals } = await simulateSeeds(agents, first, stride);
	const outcome: Outcome = { ...totals, failure: failure && (await explainFailure(failure.script)) };
	parentPort?.postMessage(outcome);
}

await (isMainThread ? main() : work(workerData as Share));
