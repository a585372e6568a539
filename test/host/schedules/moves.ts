import type { ChatExchange } from "../../support/chat-exchange.ts";
import { failure, type ReplyToolCall, text, toolCalls, truncated } from "../../support/chat-reply.ts";
import { agentCall } from "../extension-fixture.ts";
import { promptOf, type ScheduleWorld } from "./schedule-world.ts";

/** Something that the driver can do now. */
interface Move {
	/** How often it is chosen, compared with the others that are possible. */
	readonly weight: number;
	/** Does it, and gives what the host says to it if that is worth waiting for. */
	play(): Promise<unknown> | undefined;
}

/**
 * Plays a move that is possible now, chosen at random. What it gives is settled when the host has taken it. `alone` says
 * that nothing else has been done at the same moment.
 */
export function playMove(world: ScheduleWorld, alone: boolean): Promise<unknown> | undefined {
	const moves = possibleMoves(world, alone);
	let rest = world.prng.next() * moves.reduce((sum, { weight }) => sum + weight, 0);
	const move = moves.find(({ weight }) => {
		rest -= weight;
		return rest < 0;
	});
	return (move ?? moves[0])?.play();
}

function possibleMoves(world: ScheduleWorld, alone: boolean): Move[] {
	const parent = world.parentAsks();
	const children = world.childrenAsk();
	const child = children[world.prng.below(children.length)];
	return [
		...(parent ? parentMoves(world, parent) : []),
		...(child ? childMoves(world, child) : []),
		...(world.idle() ? [prompt(world, alone ? 4 : 0.5)] : [interject(world), abort(world)]),
	];
}

function parentMoves(world: ScheduleWorld, exchange: ChatExchange): Move[] {
	const reply = (weight: number, what: string, answer: Parameters<ChatExchange["play"]>[0]): Move => ({
		weight,
		play: () => {
			world.log.push(`the parent ${what}`);
			exchange.play(answer);
			return undefined;
		},
	});
	const calls: Move = {
		weight: 8,
		play: () => {
			const batch = Array.from({ length: 1 + world.prng.below(3) }, () => anyCall(world));
			world.log.push(`the parent calls ${batch.map(({ name, args }) => `${name} ${JSON.stringify(args)}`).join(", ")}`);
			exchange.play(toolCalls(batch));
			return undefined;
		},
	};
	return [
		calls,
		reply(2, "ends its turn", text(world.fresh("word"))),
		reply(0.4, "fails", failure(500, "out of order")),
		reply(0.3, "is cut at its limit", truncated(world.fresh("word"))),
	];
}

/** A call of one of the three tools, about an agent that exists where it needs one. */
function anyCall(world: ScheduleWorld): ReplyToolCall {
	const { prng } = world;
	const runs = world.runs();
	// Mostly one whose result is still to come.
	const live = runs.filter((run) => !world.answers.has(run.prompt));
	const candidates = live.length > 0 && prng.chance(0.8) ? live : runs;
	const id = candidates[prng.below(candidates.length)]?.agentId;
	const kind = prng.next();
	if (id === undefined || kind < 0.35) return spawn(world);
	const call = (name: string, more: Readonly<Record<string, unknown>>) => ({ name, args: { agent_id: id, ...more } });
	if (kind < 0.68) return call("get_subagent_result", { wait: true });
	if (kind < 0.77) return call("get_subagent_result", {});
	if (kind < 0.88) return call("steer_subagent", { message: world.fresh("word") });
	return agentCall(world.fresh("again"), { resume: id, run_in_background: true, model: undefined });
}

function spawn(world: ScheduleWorld): ReplyToolCall {
	return agentCall(world.fresh("task"), { run_in_background: world.prng.chance(0.85) });
}

function childMoves(world: ScheduleWorld, exchange: ChatExchange): Move[] {
	return [
		{
			weight: 1,
			play: () => {
				world.log.push(`${promptOf(exchange.request)} uses a tool`);
				exchange.play(toolCalls([{ name: "ls", args: { path: "." } }]));
				return undefined;
			},
		},
		settle(world, exchange, 3, "answers", (said) => exchange.play(text(said))),
		settle(world, exchange, 0.5, "is cut at its limit", (said) => exchange.play(truncated(said))),
		settle(world, exchange, 0.7, "fails", (said) => exchange.play(failure(500, said))),
	];
}

function settle(
	world: ScheduleWorld,
	exchange: ChatExchange,
	weight: number,
	how: string,
	say: (answer: string) => void,
): Move {
	return {
		weight,
		play: () => {
			sayAnswer(world, exchange, how, say);
			return undefined;
		},
	};
}

/** Has an agent's model say something that nobody else says, and remembers it. */
export function sayAnswer(
	world: ScheduleWorld,
	exchange: ChatExchange,
	how = "answers",
	say: (answer: string) => void = (said) => exchange.play(text(said)),
): void {
	const answer = world.fresh("answer");
	const run = promptOf(exchange.request);
	world.log.push(`${run} ${how}: ${answer}`);
	world.answers.set(run, answer);
	say(answer);
}

function prompt(world: ScheduleWorld, weight: number): Move {
	return { weight, play: () => sendPrompt(world) };
}

/** A message of the person. A run of ours may have begun meanwhile: then it goes into that. */
export function sendPrompt(world: ScheduleWorld): Promise<unknown> {
	const message = world.fresh("word");
	world.log.push(`the person says ${message}`);
	return world.rpc.ask({ type: "prompt", message, streamingBehavior: "steer" });
}

function interject(world: ScheduleWorld): Move {
	return { weight: 0.4, play: () => sendPrompt(world) };
}

function abort(world: ScheduleWorld): Move {
	return {
		weight: 0.8,
		play: () => {
			const { rpc, server, log } = world;
			log.push("the person presses Esc");
			const before = server.exchanges.length;
			const goesOn = () => server.exchanges.slice(before).some(({ request }) => request.model === "parent");
			// Pi 0.81 goes on with messages that were in its queue, and answers only when that has ended too.
			return Promise.race([rpc.ask({ type: "abort" }), server.until(goesOn, "the parent to go on")]);
		},
	};
}
