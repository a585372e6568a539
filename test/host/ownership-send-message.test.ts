import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { describe, expect, it } from "vitest";
import { hostFeatures } from "../../src/host/host-features.ts";
import { call } from "../support/faux-model.ts";
import { createGate } from "../support/gate.ts";
import { useSdkParent } from "../support/use-sdk-parent.ts";

type Options = NonNullable<Parameters<ExtensionAPI["sendMessage"]>[1]>;
type DeliverAs = NonNullable<Options["deliverAs"]> | undefined;

/** What the parent is doing when the message is sent. */
type Moment =
	/** Nothing: it has answered a prompt. */
	| "idle"
	/** It writes a message that calls a tool. */
	| "before a tool"
	/** It writes the last message of its run. */
	| "in its last message";

/** What became of a message until the session had settled, and by the next prompt at the latest. */
interface Fate {
	/** Whether it stood in the session before the next prompt. */
	readonly stored: boolean;
	/** How many requests the model had got by then. */
	readonly requests: number;
	/** The place of the first request that held it, from 0; the next prompt's is the one after the last of those. */
	readonly firstSeen: number;
}

interface Row {
	/** The fate in words. */
	readonly what: string;
	readonly moment: Moment;
	readonly triggerTurn: boolean | undefined;
	readonly deliverAs: DeliverAs;
	readonly fate: Fate;
}

const kept = (requests: number, firstSeen: number): Fate => ({ stored: true, requests, firstSeen });
const pending = (requests: number): Fate => ({ stored: false, requests, firstSeen: requests });

function rows(
	what: string,
	moment: Moment,
	triggers: readonly (boolean | undefined)[],
	ways: readonly DeliverAs[],
	fate: Fate,
): Row[] {
	return triggers.flatMap((triggerTurn) => ways.map((deliverAs) => ({ what, moment, triggerTurn, deliverAs, fate })));
}

const steering = [undefined, "steer"] as const;
const queueing = [...steering, "followUp"] as const;
/** Since 0.84 `triggerTurn: false` is looked at while a run is under way, too. The boundary came soon after. */
const defers = hostFeatures().boundary;

const storesIt = "stores it at once and asks no model";
const startsRun = "starts a run with it";
const keepsIt = "keeps it for the next prompt";
const steers = "puts it into the next request of the run";
const follows = "asks the model once more when the run would end";
const defersIt = defers ? "stores it when the turn is over, and asks no model for it" : "does not look at triggerTurn";

/** Seed 004 §1.2, row by row. The branch for `nextTurn` comes first, so that its first row does not hold for that. */
const table: readonly Row[] = [
	...rows(storesIt, "idle", [undefined, false], queueing, kept(1, 1)),
	...rows(startsRun, "idle", [true], queueing, kept(2, 1)),
	...rows(keepsIt, "idle", [undefined, false, true], ["nextTurn"], pending(1)),
	...rows(steers, "before a tool", [undefined, true], steering, kept(2, 1)),
	...rows(follows, "before a tool", [undefined, true], ["followUp"], kept(3, 2)),
	...rows(defersIt, "before a tool", [false], steering, kept(2, 1)),
	...rows(defersIt, "before a tool", [false], ["followUp"], defers ? kept(2, 1) : kept(3, 2)),
	...rows(keepsIt, "before a tool", [undefined, false, true], ["nextTurn"], pending(2)),
	...rows(follows, "in its last message", [undefined, true], queueing, kept(2, 1)),
	...rows(defersIt, "in its last message", [false], queueing, defers ? kept(1, 1) : kept(2, 1)),
	...rows(keepsIt, "in its last message", [undefined, false, true], ["nextTurn"], pending(1)),
];

const card = "the card";

/** Sends a message at that moment, lets the session settle, prompts once more, and says what became of the message. */
async function send({ moment, triggerTurn, deliverAs, fate }: Row): Promise<Fate> {
	const asked = createGate();
	const answered = createGate();
	const requests: boolean[] = [];
	let api: ExtensionAPI | undefined;
	const parent = await useSdkParent({
		extensions: [
			(pi) => {
				api = pi;
			},
		],
		script: async ({ messages }) => {
			const first = requests.length === 0;
			requests.push(JSON.stringify(messages).includes(card));
			if (!first || moment === "idle") return "ok";
			asked.open();
			await answered.opened;
			return moment === "before a tool" ? call(["ls", { path: "." }]) : "ok";
		},
	});
	const settled = () => parent.events.filter(({ type }) => type === "agent_settled").length;
	const prompted = parent.session.prompt("hello");
	await (moment === "idle" ? prompted : asked.opened);
	const options: Options = {
		...(triggerTurn !== undefined && { triggerTurn }),
		...(deliverAs !== undefined && { deliverAs }),
	};
	api?.sendMessage({ customType: "card", content: card, display: true }, options);
	answered.open();
	await prompted;
	// A run of its own, where one is expected; where none is, one would be in the way of the next prompt.
	await parent.until(() => moment !== "idle" || settled() >= fate.requests);
	const before = {
		stored: parent.session.sessionManager.getBranch().some((entry) => entry.type === "custom_message"),
		requests: requests.length,
	};
	await parent.session.prompt("and now");
	return { ...before, firstSeen: requests.indexOf(true) };
}

describe("a message that an extension sends: the host (seed 004 §1.2)", () => {
	for (const row of table) {
		const { what, moment, triggerTurn, deliverAs } = row;
		it(`${what}, with the parent ${moment}, triggerTurn ${triggerTurn} and deliverAs ${deliverAs}`, async () => {
			expect(await send(row)).toEqual(row.fate);
		});
	}
});
