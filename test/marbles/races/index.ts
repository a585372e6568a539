import type { RaceGroup } from "../../support/race.ts";
import { atOnce } from "./at-once.ts";
import { foreground } from "./foreground.ts";
import { groupResults } from "./group-results.ts";
import { groups } from "./groups.ts";
import { lifetime } from "./lifetime.ts";
import { publishing } from "./publishing.ts";
import { queue } from "./queue.ts";
import { sessionEnd } from "./session-end.ts";
import { steering } from "./steering.ts";
import { waiting } from "./waiting.ts";
import { waking } from "./waking.ts";

/** Every race that has a diagram. */
export const races: readonly RaceGroup[] = [
	waiting,
	atOnce,
	publishing,
	waking,
	queue,
	foreground,
	groups,
	groupResults,
	steering,
	lifetime,
	sessionEnd,
];
