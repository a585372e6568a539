/**
 * What a child costs beside a bare `createAgentSession`, in milliseconds: `node bench/child-cost.ts [rounds]`. Each row has
 * the median wall clock and the median CPU time, after a warm-up. The model is scripted, so that a turn costs the host's own work and nothing else.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	fauxAssistantMessage,
	fauxProvider,
	InMemoryCredentialStore,
	InMemoryModelsStore,
} from "@earendil-works/pi-ai";
import {
	createAgentSession,
	createExtensionRuntime,
	DefaultResourceLoader,
	ModelRuntime,
	type ResourceLoader,
	SessionManager,
	SettingsManager,
} from "@earendil-works/pi-coding-agent";
import { lastValueFrom, NEVER } from "rxjs";
import type { ChildEnvironment } from "../src/host/child-environment.ts";
import { resolveChildResources } from "../src/host/child-resources.ts";
import { openChildSession } from "../src/host/child-session.ts";
import { createStartRun } from "../src/host/run-agent.ts";
import { createMailbox } from "../src/operators/index.ts";
import { parseAgentId, toCorrelationId } from "../src/streams/ids.ts";
import type { RunSpec, SteeringMessage } from "../src/streams/ports.ts";

const rounds = Number(process.argv[2] ?? 50);
const root = mkdtempSync(join(tmpdir(), "child-cost-"));
const tools = ["read", "bash", "edit", "write"];
const faux = fauxProvider({ provider: "faux", models: [{ id: "one" }] });
const runtime = await ModelRuntime.create({
	credentials: new InMemoryCredentialStore(),
	modelsStore: new InMemoryModelsStore(),
	modelsPath: null,
	refreshOnCreate: false,
});
runtime.registerNativeProvider(faux.provider);
const model = faux.getModel();

function home(name: string, extensions: number): { cwd: string; agentDir: string } {
	const cwd = join(root, name, "project");
	const agentDir = join(root, name, "agent");
	mkdirSync(cwd, { recursive: true });
	mkdirSync(join(agentDir, "extensions"), { recursive: true });
	for (let index = 0; index < extensions; index++) {
		const hook = "export default (pi) => { pi.on('tool_call', () => undefined); };\n";
		writeFileSync(join(agentDir, "extensions", `hook-${index}.js`), hook);
	}
	return { cwd, agentDir };
}

function environment(places: { cwd: string; agentDir: string }): ChildEnvironment {
	return {
		...places,
		projectTrusted: true,
		modelRuntime: async () => runtime,
		childExtensions: "inherit",
		argv: [],
		seenExtensionFiles: [],
		ownExtensionPaths: [],
		sessionsDir: join(places.agentDir, "orchestrator", "bench"),
		stopGraceSeconds: 5,
	};
}

let agents = 0;
function nextSpec(): RunSpec {
	const agentId = parseAgentId(`bench-${agents++}`);
	if (agentId === undefined) throw new Error("not an agent id");
	return {
		agentId,
		run: 1,
		correlationId: toCorrelationId("bench"),
		prompt: "hello",
		config: {
			subagentType: "general-purpose",
			systemPrompt: "You are a child.",
			model: "faux/one",
			thinking: "off",
			tools,
			limits: { graceTurns: 3 },
			isolated: false,
		},
	};
}

const bareLoader = (): ResourceLoader => ({
	getExtensions: () => ({ extensions: [], errors: [], runtime: createExtensionRuntime() }),
	getSkills: () => ({ skills: [], diagnostics: [] }),
	getPrompts: () => ({ prompts: [], diagnostics: [] }),
	getThemes: () => ({ themes: [], diagnostics: [] }),
	getAgentsFiles: () => ({ agentsFiles: [] }),
	getSystemPrompt: () => "You are a child.",
	getSystemPromptSource: () => undefined,
	getAppendSystemPrompt: () => [],
	getAppendSystemPromptSources: () => [],
	extendResources() {},
	reload: () => Promise.resolve(),
});

async function bare(places: { cwd: string; agentDir: string }, resourceLoader: ResourceLoader, prompt: boolean) {
	const { session } = await createAgentSession({
		...places,
		modelRuntime: runtime,
		...(model ? { model } : {}),
		tools,
		resourceLoader,
		settingsManager: SettingsManager.inMemory(),
		sessionManager: SessionManager.inMemory(places.cwd),
	});
	await session.bindExtensions({ mode: "print" });
	if (prompt) {
		faux.appendResponses([fauxAssistantMessage("ok")]);
		await session.prompt("hello");
	}
	await session.extensionRunner.emit({ type: "session_shutdown", reason: "quit" });
	session.dispose();
}

async function loaded(places: { cwd: string; agentDir: string }): Promise<ResourceLoader> {
	const loader = new DefaultResourceLoader({ ...places, settingsManager: SettingsManager.inMemory() });
	await loader.reload();
	return loader;
}

async function measure(name: string, act: () => Promise<unknown>): Promise<void> {
	const walls: number[] = [];
	const cpus: number[] = [];
	for (let round = -5; round < rounds; round++) {
		const start = performance.now();
		const cpu = process.cpuUsage();
		await act();
		if (round < 0) continue;
		const { user, system } = process.cpuUsage(cpu);
		walls.push(performance.now() - start);
		cpus.push((user + system) / 1000);
	}
	console.log(`${name.padEnd(58)} ${median(walls)} ${median(cpus)}`);
}

function median(values: number[]): string {
	const middle = values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
	return middle.toFixed(2).padStart(7);
}

console.log(`${"".padEnd(58)}    wall     cpu`);
for (const extensions of [0, 5]) {
	const places = home(`home-${extensions}`, extensions);
	const env = environment(places);
	const resources = await resolveChildResources(env);
	const startRun = createStartRun(env);
	const inputs = { stop$: NEVER, steering: createMailbox<SteeringMessage>() };
	const label = `${extensions} extensions`;
	await measure(`${label}: once per parent session, resolveChildResources`, () => resolveChildResources(env));
	await measure(`${label}: bare createAgentSession, no loader of the host's`, () => bare(places, bareLoader(), false));
	await measure(`${label}: createAgentSession, the host's loader`, async () =>
		bare(places, await loaded(places), false),
	);
	await measure(`${label}: our child, opened and closed`, async () => {
		const child = await openChildSession(env, resources, nextSpec(), new AbortController().signal);
		await child.close();
	});
	await measure(`${label}: createAgentSession, the host's loader, one turn`, async () =>
		bare(places, await loaded(places), true),
	);
	await measure(`${label}: our run, one turn`, () => {
		faux.appendResponses([fauxAssistantMessage("ok")]);
		return lastValueFrom(startRun(nextSpec(), inputs));
	});
}
rmSync(root, { recursive: true, force: true });
