import { asyncScheduler, type SchedulerLike, Subscription, timer } from "rxjs";

/** Looks again and again for what another process leaves, as long as there is another one. */
export interface TakeOver {
	/** Looks now. Resolves when that is done; never rejects. A look that is under way serves whoever asks meanwhile. */
	look(): Promise<void>;
	/** Looks no more. Resolves when a look that is under way is over; never rejects. */
	close(): Promise<void>;
}

export interface TakeOverOptions {
	/** Takes over what there is; resolves with whether other processes are still there. */
	readonly look: () => Promise<boolean>;
	/** Whether there is another process, as far as is known. */
	readonly others: boolean;
	readonly scheduler?: SchedulerLike;
}

/** A process that ends says so to nobody, so it is looked for. In milliseconds. */
const pause = 2_000;

/** There is a timer only while another process is known. */
export function createTakeOver({ look, others, scheduler = asyncScheduler }: TakeOverOptions): TakeOver {
	const lifetime = new Subscription();
	let waiting: Subscription | undefined;
	let looking: Promise<void> | undefined;

	function wait(): void {
		waiting?.unsubscribe();
		if (lifetime.closed) return;
		waiting = timer(pause, scheduler).subscribe({ next: () => void lookOnce(), error: () => undefined });
		lifetime.add(waiting);
	}
	function lookOnce(): Promise<void> {
		looking ??= lookNow().finally(() => {
			looking = undefined;
		});
		return looking;
	}
	async function lookNow(): Promise<void> {
		waiting?.unsubscribe();
		try {
			if (await look()) wait();
		} catch {
			// It is not known, so it is asked again.
			wait();
		}
	}

	if (others) wait();
	return {
		look: () => (lifetime.closed ? Promise.resolve() : lookOnce()),
		close: async () => {
			lifetime.unsubscribe();
			await looking;
		},
	};
}
