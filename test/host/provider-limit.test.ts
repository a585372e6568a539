import { fauxAssistantMessage } from "@earendil-works/pi-ai";
import { VERSION } from "@earendil-works/pi-coding-agent";
import { of, Subject } from "rxjs";
import { describe, expect, it } from "vitest";
import type { HostSettings } from "../../src/host/child-environment.ts";
import { createProviderBackoffs } from "../../src/host/provider-backoffs.ts";
import { limitOf, waitAskedBy } from "../../src/host/provider-limit.ts";
import type { StopRequest } from "../../src/streams/outcome.ts";
import { createVirtualClock } from "../simulation/virtual-clock.ts";
import { failure, text } from "../support/chat-reply.ts";
import type { OpenAiServer } from "../support/openai-server.ts";
import { useOpenAiServer } from "../support/use-openai-server.ts";
import { type RunChanges, useChildren } from "./child-fixture.ts";

/** Retries that cost no time: whatever is waited for here is waited for together. */
const retrying = (maxRetries: number) => () => ({ retry: { enabled: true, maxRetries, baseDelayMs: 1 } });
const tellsRetryAfter = !VERSION.startsWith("0.");

/** Siblings over one server, with a clock of their own for what they wait together. */
async function useSiblings(settings: () => HostSettings = retrying(1), atOnce = 1) {
	const server: OpenAiServer = await useOpenAiServer(async () => {
		// None is refused before all are on their way: who comes later is not refused, but waits.
		await server.until(() => server.requests.length >= atOnce, `${atOnce} requests`);
		return failure(429, "slow down", { retryAfter: 7 });
	});
	const children = await useChildren({ baseUrl: server.baseUrl });
	const clock = createVirtualClock();
	const backoffs = createProviderBackoffs(clock.scheduler);
	const run = (changes: RunChanges = {}) =>
		children.run({ ...changes, config: { model: "local/child" }, env: { backoffs, settings } });
	return { server, clock, run };
}

describe("siblings that meet their provider's limit", () => {
	it("wait for it together, and none of them fails", async () => {
		const { server, clock, run } = await useSiblings(retrying(1), 8);
		const runs = Array.from({ length: 8 }, () => run());
		await Promise.all(runs.map((each) => each.until("provider_wait")));
		// Each has made the one retry that it has, which is in line.
		expect(server.requests).toHaveLength(8);
		server.answer(() => text("done"));
		clock.step();
		await Promise.all(runs.map(({ ended }) => ended));
		expect(runs.map(({ outcome }) => outcome.text)).toEqual(Array.from({ length: 8 }, () => "done"));
		expect(server.requests).toHaveLength(16);
		expect(clock.pending).toBe(0);
	});

	it("ask with one request whether it is over, and the others' retries are not used up by that", async () => {
		const { server, clock, run } = await useSiblings(retrying(2), 4);
		const runs = Array.from({ length: 4 }, () => run());
		await Promise.all(runs.map((each) => each.until("provider_wait")));
		clock.step();
		await server.until(() => server.requests.length === 5, "the one request");
		// It is refused, and is in line again behind the others.
		await Promise.any(runs.map((each) => each.untilCount("provider_wait", 3)));
		expect(server.requests).toHaveLength(5);
		expect(runs.map((each) => each.events.filter(({ type }) => type === "retrying").length).sort()).toEqual([
			1, 1, 1, 2,
		]);
		server.answer(() => text("done"));
		clock.step();
		await Promise.all(runs.map(({ ended }) => ended));
		expect(runs.map(({ outcome }) => outcome.text)).toEqual(["done", "done", "done", "done"]);
		expect(server.requests).toHaveLength(9);
	});

	it("make one wait that was never refused itself, and say when it waits and when not", async () => {
		const { server, clock, run } = await useSiblings(retrying(1));
		const refused = run();
		await refused.until("provider_wait");
		server.answer(() => text("done"));
		const other = run();
		await other.until("provider_wait");
		expect(server.requests).toHaveLength(1);
		clock.step();
		await Promise.all([refused.ended, other.ended]);
		expect(other.types).not.toContain("retrying");
		expect(other.events.filter(({ type }) => type === "provider_wait")).toEqual([
			{ type: "provider_wait", waiting: true },
			{ type: "provider_wait", waiting: false },
		]);
	});

	it.runIf(tellsRetryAfter)("wait for as long as it asks them to", async () => {
		const { clock, run } = await useSiblings();
		await run().until("provider_wait");
		expect(clock.nextDue).toBe(7_000);
	});

	it.runIf(tellsRetryAfter)("wait no longer than the host's settings grant a provider", async () => {
		const { clock, run } = await useSiblings(() => ({
			retry: { enabled: true, maxRetries: 1, baseDelayMs: 1, provider: { maxRetryDelayMs: 5_000 } },
		}));
		await run().until("provider_wait");
		expect(clock.nextDue).toBe(5_000);
	});

	it("wait as the host's own retries do where it asks for nothing", async () => {
		const { server, clock, run } = await useSiblings(() => ({
			retry: { enabled: true, maxRetries: 1, baseDelayMs: 3 },
		}));
		server.answer(() => failure(529, "overloaded"));
		await run().until("provider_wait");
		expect(clock.nextDue).toBe(3);
	});

	it("do not wait for each other when something is broken", async () => {
		const { server, clock, run } = await useSiblings();
		server.answer(() => failure(500, "out of order"));
		await run().ended;
		expect(server.requests).toHaveLength(2);
		expect(clock.pending).toBe(0);
	});

	it("fail at once where the host does not retry, and nobody waits", async () => {
		const { server, run } = await useSiblings(() => ({ retry: { enabled: false } }));
		const refused = run();
		await refused.ended;
		expect(refused.outcome.verdict).toEqual({ status: "error", reason: "provider_error" });
		server.answer(() => text("done"));
		const other = run();
		await other.ended;
		expect([other.outcome.text, other.types.includes("provider_wait")]).toEqual(["done", false]);
	});

	it("leave the line at once when they are stopped, and ask nothing any more", async () => {
		const { server, clock, run } = await useSiblings();
		const stop$ = new Subject<StopRequest>();
		const waiting = run({ inputs: { stop$ } });
		await waiting.until("provider_wait");
		stop$.next({ status: "stopped", reason: "stopped_by_user" });
		await waiting.ended;
		expect(waiting.outcome.verdict).toEqual({ status: "stopped", reason: "stopped_by_user" });
		expect(waiting.closed).toBe("verified");
		expect(server.requests).toHaveLength(1);
		expect(clock.pending).toBe(0);
		server.answer(() => text("done"));
		const later = run({ inputs: { stop$: of() } });
		await later.until("provider_wait");
		clock.step();
		await later.ended;
		expect(later.outcome.text).toBe("done");
	});

	it("leave it without a word when they are disposed of", async () => {
		const { server, clock, run } = await useSiblings();
		const waiting = run();
		await waiting.until("provider_wait");
		waiting.subscription.unsubscribe();
		expect(clock.pending).toBe(0);
		expect(server.requests).toHaveLength(1);
		expect(waiting.types).not.toContain("settled");
	});
});

describe("a limit", () => {
	const failed = (errorMessage: string) => fauxAssistantMessage([], { stopReason: "error", errorMessage });

	it.each([
		["429 slow down", true],
		["Rate limit reached for requests", true],
		['{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', true],
		["503 Service Unavailable", true],
		["429 insufficient_quota: you exceeded your current quota, check your billing", false],
		["500 internal server error", false],
		["fetch failed", false],
		["request id a4290b failed: timeout", false],
	])("is told from other failures by the provider's words: %s", (message, isLimit) => {
		expect(limitOf(failed(message)) !== undefined).toBe(isLimit);
	});

	it("is none when the answer came, whatever it says", () => {
		expect(limitOf(fauxAssistantMessage("429 too many requests"))).toBeUndefined();
	});

	it.each([
		[{ "retry-after": "7" }, 7_000],
		[{ "retry-after": "0.5" }, 500],
		[{ "retry-after-ms": "250", "retry-after": "7" }, 250],
		[{ "retry-after": "Thu, 01 Jan 1970 00:00:09 GMT" }, 8_000],
		[{ "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" }, 0],
		[{ "retry-after": "soon" }, undefined],
		[{}, undefined],
	])("asks for a wait in its headers: %j", (headers, wait) => {
		expect(waitAskedBy(new Headers(headers as Record<string, string>), 1_000)).toBe(wait);
	});
});
