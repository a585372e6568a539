import {
	connect,
	filter,
	ignoreElements,
	interval,
	map,
	merge,
	type Observable,
	type SchedulerLike,
	startWith,
	switchMap,
	takeUntil,
	tap,
	throttleTime,
} from "rxjs";
/** The least time between two updates, in milliseconds. */
export const updateInterval = 250;
/** How often a silent agent is shown again, so that its silence can be seen growing. */
const silenceInterval = 1_000;

/**
 * What a call in the foreground holds on to, of one agent or of a group: emits the snapshot with which `source$` is over
 * and completes; unsubscribing before that leaves `source$`, which stops what it stands for. Until then `show` gets
 * snapshots, at most four a second, the latest of each span and none after the end. What `show` throws is ignored: an
 * update decides nothing.
 *
 * ```ts
 * foregroundHandle(agents.foreground(agentId), isTerminal, show, scheduler);
 * ```
 */
export function foregroundHandle<T, Over extends T>(
	source$: Observable<T>,
	isOver: (snapshot: T) => snapshot is Over,
	show: (snapshot: T) => void,
	scheduler: SchedulerLike,
): Observable<Over> {
	return source$.pipe(
		connect((snapshot$) =>
			merge(
				progress(snapshot$, isOver, scheduler).pipe(
					tap((snapshot) => {
						try {
							show(snapshot);
						} catch {
							// The host's affair; the run goes on.
						}
					}),
					ignoreElements(),
				),
				snapshot$.pipe(filter(isOver)),
			),
		),
	);
}

function progress<T, Over extends T>(
	snapshot$: Observable<T>,
	isOver: (snapshot: T) => snapshot is Over,
	scheduler: SchedulerLike,
): Observable<T> {
	return snapshot$.pipe(
		switchMap((snapshot) =>
			interval(silenceInterval, scheduler).pipe(
				map(() => snapshot),
				startWith(snapshot),
			),
		),
		throttleTime(updateInterval, scheduler, { leading: true, trailing: true }),
		// Last, and so subscribed first: the end comes here before it comes to the throttle, whose trailing value would
		// otherwise come after it and hold the completion back.
		takeUntil(snapshot$.pipe(filter(isOver))),
	);
}
