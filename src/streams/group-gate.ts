import { createStateFeed } from "../operators/create-state-feed.ts";
import type { Release } from "./agents.ts";

/** Says when a group's results may be published. */
export interface GroupGate extends Release {
	/** Shuts the gate until the returned function is called: somebody waits for all the results. */
	hold(): () => void;
	/** All members have ended. */
	settle(): void;
}

/**
 * A gate that is open while nobody holds it: for `each` from the beginning, for `group` once all members have ended. The
 * answer is right at any instant; observers hear of changes in order.
 */
export function createGroupGate(join: "group" | "each"): GroupGate {
	let ready = join === "each";
	let holds = 0;
	const feed = createStateFeed<boolean>(ready, () => false);

	function update(): void {
		const open = ready && holds === 0;
		if (open === feed.current) return;
		feed.put(open);
		feed.flush();
	}

	return {
		get current() {
			return feed.current;
		},
		state$: feed.state$,
		hold() {
			let held = true;
			holds++;
			update();
			return () => {
				if (!held) return;
				held = false;
				holds--;
				update();
			};
		},
		settle() {
			ready = true;
			update();
		},
	};
}
