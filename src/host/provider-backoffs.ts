import { asyncScheduler, type SchedulerLike } from "rxjs";
import { type Backoff, createBackoff } from "../operators/index.ts";
import { ProviderLimit, waitAskedBy } from "./provider-limit.ts";

/** The host's `retry` settings, as far as they say how long to wait. In milliseconds. */
export interface RetryPolicy {
	readonly baseDelayMs: number;
	/** The longest pause that is not the provider's own wish; a minute, as the host has it, where it is left out. */
	readonly maxAgentDelayMs?: number | undefined;
	/** The longest wish of a provider that is granted; 0 is any. */
	readonly maxRetryDelayMs: number;
}

/** What all requests to one provider share. */
export interface ProviderBackoff extends Backoff {
	/**
	 * The host's `fetch`, which hears for how long a refused request is to wait: the messages of the host do not tell. The
	 * same one for all requests, because a host may keep a client with the `fetch` that it has.
	 */
	readonly fetch: typeof globalThis.fetch;
}

/** One backoff for each provider, for all agents of a session. */
export interface ProviderBackoffs {
	/** The provider's, which follows the policy that it was first asked for with. */
	of(provider: string, policy: RetryPolicy): ProviderBackoff;
}

const longestPause = 60_000;

/** Holds timers only while a request waits, so there is nothing to close. */
export function createProviderBackoffs(scheduler: SchedulerLike = asyncScheduler): ProviderBackoffs {
	const backoffs = new Map<string, ProviderBackoff>();
	return {
		of: (provider, policy) => {
			const backoff = backoffs.get(provider) ?? createProviderBackoff(policy, scheduler);
			backoffs.set(provider, backoff);
			return backoff;
		},
	};
}

function createProviderBackoff(policy: RetryPolicy, scheduler: SchedulerLike): ProviderBackoff {
	/** When the provider wants to be asked again, as it last said. */
	let wanted = Number.NEGATIVE_INFINITY;
	const delay = (error: unknown, times: number): number | undefined => {
		if (!(error instanceof ProviderLimit)) return undefined;
		const wish = wanted - scheduler.now();
		return wish > 0 ? granted(wish, policy) : ownPause(times, policy);
	};
	const backoff = createBackoff({ delay, scheduler });
	return {
		heed: backoff.heed,
		get waiting() {
			return backoff.waiting;
		},
		fetch: async (...args) => {
			const response = await globalThis.fetch(...args);
			const wait = response.ok ? undefined : waitAskedBy(response.headers, Date.now());
			if (wait !== undefined) wanted = scheduler.now() + wait;
			return response;
		},
	};
}

function granted(wish: number, { maxRetryDelayMs }: RetryPolicy): number {
	return maxRetryDelayMs > 0 ? Math.min(wish, maxRetryDelayMs) : wish;
}

/** What the host itself would wait before that retry. */
function ownPause(times: number, { baseDelayMs, maxAgentDelayMs = longestPause }: RetryPolicy): number {
	return Math.min(baseDelayMs * 2 ** (times - 1), maxAgentDelayMs);
}
