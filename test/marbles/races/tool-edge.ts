import type { EdgeRaceGroup } from "../../support/race.ts";

/** Races where promises are: between a tool call, its signal and what it waits for. */
export const toolEdge: EdgeRaceGroup = {
	title: "At the tool's edge",
	file: "test/marbles/races/tool-edge.ts",
	races: [
		{
			title: "a wait is aborted in the tick in which its agent ends",
			reference: "seed 000 §8.1, §11.3, §17 Ownership: mixed abort/completion, invariants 8, 11 and 18",
			rule: "The first of the two decides at once, whenever the promise gets to say so. An abort is never turned into a success, and a result that was not read is not lost.",
			orders: {
				"the abort first": {
					steps: ["background 1", "wait 1", "abort wait 1", "agent1 ends", "…"],
					outcome: {
						"background 1": "running",
						"wait 1": "AbortError while completed",
						agents: "completed",
						owner: "held",
						listeners: "0",
					},
				},
				"the end first": {
					steps: ["background 1", "wait 1", "agent1 ends", "abort wait 1", "…"],
					outcome: {
						"background 1": "running",
						"wait 1": "completed",
						agents: "completed",
						owner: "delivered",
						listeners: "0",
					},
				},
				"the abort first, and heard of before the end": {
					steps: ["background 1", "wait 1", "abort wait 1", "…", "agent1 ends"],
					outcome: {
						"background 1": "running",
						"wait 1": "AbortError while running",
						agents: "completed",
						owner: "held",
						listeners: "0",
					},
				},
			},
		},
		{
			title: "a foreground call is aborted in the tick in which its agent ends",
			reference:
				"seed 000 §8, §18 Esc appears ignored, §17 Cancellation: nested abort, listener cleanup, invariants 8, 11 and 22",
			rule: "The agent is stopped and the call rejects with an AbortError, or the call has its answer: the first of the two decides.",
			orders: {
				"the abort first": {
					steps: ["Agent 1", "abort Agent 1", "agent1 ends", "…"],
					outcome: {
						"Agent 1": "AbortError while stopped",
						"updates of Agent 1": "1, of Agent 1",
						agents: "stopped",
						listeners: "0",
					},
				},
				"the end first": {
					steps: ["Agent 1", "agent1 ends", "abort Agent 1", "…"],
					outcome: {
						"Agent 1": "completed",
						"updates of Agent 1": "1, of Agent 1",
						agents: "completed",
						listeners: "0",
					},
				},
			},
		},
		{
			title: "the signal of a background call aborts about the time it returns",
			reference: "seed 000 §8.3, §18 Child stops with parent unexpectedly, invariants 7, 9 and 23",
			rule: "A call that was aborted before starts nothing. Once an agent was started in the background, no signal of its call reaches it.",
			orders: {
				"before the call": {
					steps: ["abort background 1", "background 1", "…"],
					outcome: { "background 1": "AbortError", agents: "none", listeners: "0" },
				},
				"in the tick of the call": {
					steps: ["background 1", "abort background 1", "…", "agent1 ends"],
					outcome: { "background 1": "running", agents: "completed", owner: "held", listeners: "0" },
				},
				"after the call": {
					steps: ["background 1", "…", "abort background 1", "…", "agent1 ends"],
					outcome: { "background 1": "running", agents: "completed", owner: "held", listeners: "0" },
				},
			},
		},
		{
			title: "a wait's time is over in the tick in which its agent ends",
			reference: "seed 000 §10.2, invariants 10, 18 and 27",
			rule: "The claim is given back when the time is over, and an end of the same tick is read all the same: the answer is the result, once, and nothing is left to be published.",
			orders: {
				"the time first": {
					steps: ["background 1", "wait 1", "30 seconds pass", "agent1 ends", "…"],
					outcome: {
						"background 1": "running",
						"wait 1": "completed",
						agents: "completed",
						owner: "delivered",
						listeners: "0",
					},
				},
				"the end first": {
					steps: ["background 1", "wait 1", "agent1 ends", "30 seconds pass", "…"],
					outcome: {
						"background 1": "running",
						"wait 1": "completed",
						agents: "completed",
						owner: "delivered",
						listeners: "0",
					},
				},
			},
		},
		{
			title: "the parent's boundary comes before the promise of a wait that was served",
			reference: "seed 000 §11.2, §18 Result appears twice, invariants 17 and 20",
			rule: "Ownership is claimed before anything is awaited: the boundary finds a result that has been read, though its reader's promise still has to run.",
			orders: {
				"the wait first": {
					steps: ["background 1", "wait 1", "agent1 ends", "the boundary takes it", "it is committed", "…"],
					outcome: {
						"background 1": "running",
						"wait 1": "completed",
						agents: "completed",
						owner: "delivered",
						listeners: "0",
					},
				},
				"the boundary first, and its message arrives": {
					steps: ["background 1", "agent1 ends", "the boundary takes it", "wait 1", "it is committed", "…"],
					outcome: {
						"background 1": "running",
						"wait 1": "completed, published before",
						agents: "completed",
						owner: "committed",
						published: "1",
						listeners: "0",
					},
				},
				"the boundary first, and its message is lost": {
					steps: ["background 1", "agent1 ends", "the boundary takes it", "wait 1", "it is lost", "…"],
					outcome: {
						"background 1": "running",
						"wait 1": "completed",
						agents: "completed",
						owner: "delivered",
						listeners: "0",
					},
				},
			},
		},
		{
			title: "waits are aborted in the tick in which their agent ends",
			reference:
				"seed 000 §17.1, §18 One of two cancelled waits causes duplicate notification, §17 Ownership: all waiters cancelled, invariants 13, 17 and 19",
			rule: "While one of them is there, the result is its own and is not published; when all have left, it is published once.",
			orders: {
				"the abort first": {
					steps: [
						"background 1",
						"wait 1",
						"wait 1 again",
						"abort wait 1",
						"agent1 ends",
						"the boundary takes it",
						"it is committed",
						"…",
					],
					outcome: {
						"background 1": "running",
						"wait 1": "AbortError while completed",
						"wait 1 again": "completed",
						agents: "completed",
						owner: "delivered",
						listeners: "0",
					},
				},
				"the end first": {
					steps: [
						"background 1",
						"wait 1",
						"wait 1 again",
						"agent1 ends",
						"abort wait 1",
						"the boundary takes it",
						"it is committed",
						"…",
					],
					outcome: {
						"background 1": "running",
						"wait 1": "completed",
						"wait 1 again": "completed",
						agents: "completed",
						owner: "delivered",
						listeners: "0",
					},
				},
				"both are aborted first": {
					steps: [
						"background 1",
						"wait 1",
						"wait 1 again",
						"abort wait 1",
						"abort wait 1 again",
						"agent1 ends",
						"the boundary takes it",
						"it is committed",
						"the boundary takes it",
						"…",
					],
					outcome: {
						"background 1": "running",
						"wait 1": "AbortError while completed",
						"wait 1 again": "AbortError while completed",
						agents: "completed",
						owner: "committed",
						published: "1",
						listeners: "0",
					},
				},
			},
		},
		{
			title: "an update is due when the agent ends",
			reference:
				"seed 000 §5.4, §17 Updates: several updates, no accepted update after settlement, §18 UI progress freezes while execution continues, invariant 15",
			rule: "No update comes after the end, and a host that shows none of them gets the same result.",
			orders: {
				"the update first": {
					steps: ["Agent 1", "agent1 writes", "1 second passes", "agent1 ends", "…", "5 seconds pass"],
					outcome: {
						"Agent 1": "completed",
						"updates of Agent 1": "3, of Agent 1",
						agents: "completed",
						listeners: "0",
					},
				},
				"the end first": {
					steps: ["Agent 1", "agent1 writes", "agent1 ends", "…", "5 seconds pass"],
					outcome: {
						"Agent 1": "completed",
						"updates of Agent 1": "1, of Agent 1",
						agents: "completed",
						listeners: "0",
					},
				},
				"the update first, and the host fails at it": {
					steps: ["deaf 1", "agent1 writes", "1 second passes", "agent1 ends", "…", "5 seconds pass"],
					outcome: {
						"deaf 1": "completed",
						"updates of deaf 1": "3, of deaf 1",
						agents: "completed",
						listeners: "0",
					},
				},
			},
		},
		{
			title: "two calls are under way and their agents end in this order or that",
			reference: "seed 000 §7.1, §17 Parallelism: reverse completion order, invariant 12",
			rule: "Answers and updates belong to their own call by its id, in whatever order the agents end.",
			orders: {
				"in the order of the calls": {
					steps: [
						"Agent 1",
						"Agent 2",
						"agent1 writes",
						"agent2 writes",
						"1 second passes",
						"agent1 ends",
						"…",
						"agent2 ends",
					],
					outcome: {
						"Agent 1": "completed",
						"Agent 2": "completed",
						"updates of Agent 1": "3, of Agent 1",
						"updates of Agent 2": "3, of Agent 2",
						agents: "completed, completed",
						listeners: "0",
					},
				},
				"in the reverse order": {
					steps: [
						"Agent 1",
						"Agent 2",
						"agent1 writes",
						"agent2 writes",
						"1 second passes",
						"agent2 ends",
						"…",
						"agent1 ends",
					],
					outcome: {
						"Agent 1": "completed",
						"Agent 2": "completed",
						"updates of Agent 1": "3, of Agent 1",
						"updates of Agent 2": "3, of Agent 2",
						agents: "completed, completed",
						listeners: "0",
					},
				},
			},
		},
	],
};
