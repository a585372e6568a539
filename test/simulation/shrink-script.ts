import type { Call, ChildManners, CrewMember, Script, Step } from "./script.ts";

/** Whether a script still fails in the way that is looked for. */
export type StillFails = (script: Script) => Promise<boolean>;

/**
 * A short script that fails like a long one: steps are dropped, in ever smaller pieces, then single calls, then every
 * field that says something special about a host, a step, a call or a child. Ends when nothing more can go.
 */
export async function shrinkScript(script: Script, stillFails: StillFails): Promise<Script> {
	let best = script;
	for (;;) {
		const before = JSON.stringify(best);
		best = await dropSteps(best, stillFails);
		best = await dropParts(best, stillFails);
		if (JSON.stringify(best) === before) return best;
	}
}

async function dropSteps(script: Script, stillFails: StillFails): Promise<Script> {
	let best = script;
	for (let size = Math.ceil(best.steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
		for (let at = 0; at < best.steps.length; ) {
			const steps = [...best.steps.slice(0, at), ...best.steps.slice(at + size)];
			const shorter = { ...best, steps };
			if (await stillFails(shorter)) best = shorter;
			else at += size;
		}
	}
	return best;
}

/** Removes what is optional, and makes numbers small, wherever in the script it stands. */
async function dropParts(script: Script, stillFails: StillFails): Promise<Script> {
	let best = script;
	for (let tried = 0; ; ) {
		const next = simpler(best)[tried];
		if (next === undefined) return best;
		// What was simpler before it is simpler no more: the same place has something else to offer now.
		if (await stillFails(next)) best = next;
		else tried++;
	}
}

function simpler(script: Script): readonly Script[] {
	const { seed, host, interleave, steps } = script;
	return [
		...(host === undefined
			? []
			: variants(host).map((less) =>
					withHost({ seed, steps, ...(interleave === undefined ? {} : { interleave }) }, less),
				)),
		...(interleave === undefined ? [] : [{ seed, steps, ...(host === undefined ? {} : { host }) }]),
		...steps.flatMap((step, index) =>
			stepVariants(step).map((less) => ({ ...script, steps: steps.with(index, less) })),
		),
	];
}

function withHost(script: Script, host: object): Script {
	return Object.keys(host).length === 0 ? script : { ...script, host };
}

function stepVariants(step: Step): readonly Step[] {
	const own = variants(step, ["do", "calls", "child", "lasts", "agent", "agents", "to", "is"]) as Step[];
	if (step.do === "resume" && step.child !== undefined) {
		const { child, ...rest } = step;
		return [...own, rest, ...childVariants(child).map((less) => ({ ...step, child: less }))];
	}
	if (step.do !== "calls") return own;
	return [...own, ...batchVariants(step.calls).map((calls) => ({ ...step, calls }))];
}

/** Never without any call. */
function batchVariants(calls: readonly Call[]): readonly (readonly Call[])[] {
	const fewer = calls.length < 2 ? [] : calls.map((_, index) => calls.toSpliced(index, 1));
	return [...fewer, ...calls.flatMap((call, index) => callVariants(call).map((less) => calls.with(index, less)))];
}

function callVariants(call: Call): readonly Call[] {
	const less = variants(call, ["tool", "agent", "child"]) as Call[];
	if (call.tool !== "Agent") return call.agent > 0 ? [...less, { ...call, agent: call.agent - 1 }] : less;
	const { child, crew = [] } = call;
	if (child !== undefined) {
		const { child: _, ...rest } = call;
		less.push(rest, ...childVariants(child).map((manners) => ({ ...call, child: manners })));
	}
	const members = crew.flatMap((member, index) =>
		memberVariants(member).map((plainer) => ({ ...call, crew: crew.with(index, plainer) })),
	);
	return [...less, ...members];
}

function memberVariants(member: CrewMember): readonly CrewMember[] {
	const { child } = member;
	const plainer = child === undefined ? [] : childVariants(child).map((manners) => ({ ...member, child: manners }));
	return [...variants(member), ...plainer];
}

function childVariants(child: ChildManners): readonly ChildManners[] {
	const { own = [] } = child;
	const batches = own.flatMap((batch, index) => [
		own.toSpliced(index, 1),
		...batchVariants(batch).map((less) => own.with(index, less)),
	]);
	return [...variants(child), ...batches.map((less) => ({ ...child, own: less }))];
}

/** The object without each of its fields in turn, and with each number a good deal smaller. */
function variants<T extends object>(value: T, kept: readonly string[] = []): readonly T[] {
	return Object.entries(value).flatMap(([key, field]): T[] => {
		if (kept.includes(key)) return [];
		const { [key]: _, ...rest } = value as Record<string, unknown>;
		const without = [rest as T];
		return typeof field === "number" && field > 1 ? [...without, { ...value, [key]: Math.floor(field / 2) }] : without;
	});
}

/** A script as it is kept: one step a line. */
export function formatScript({ steps, ...rest }: Script): string {
	const head = JSON.stringify(rest).slice(0, -1);
	return `${head},"steps":[\n${steps.map((step) => `\t${JSON.stringify(step)},`).join("\n")}\n]}`;
}
