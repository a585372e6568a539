import type { Script } from "../script.ts";
import { abortedAndResumed } from "./aborted-and-resumed.ts";
import { crewAtOnce } from "./crew-at-once.ts";
import { deafBelowResumed } from "./deaf-below-resumed.ts";
import { failedCompaction } from "./failed-compaction.ts";
import { lateSpend } from "./late-spend.ts";
import { resumedPlace } from "./resumed-place.ts";
import { stoppedLine } from "./stopped-line.ts";
import { throwingHost } from "./throwing-host.ts";
import { toldTogether } from "./told-together.ts";
import { turnAfterTurn } from "./turn-after-turn.ts";
import { waitOverNewSession } from "./wait-over-new-session.ts";

/** Scripts that broke a rule once, each as short as it got, by what they are about. */
export const keptScripts: Readonly<Record<string, Script>> = {
	"a call that is aborted, and its agent resumed at that instant": abortedAndResumed,
	"a compaction whose end is not told, then an Esc": failedCompaction,
	"a session that spends after its agent was resumed": lateSpend,
	"a crew whose first member ends while the others are started": crewAtOnce,
	"a member that begins and ends at once while others hear that they may begin": toldTogether,
	"a slot that comes free while a whole crew is stopped": stoppedLine,
	"the place in line of an agent that was resumed": resumedPlace,
	"an agent that is resumed while one that it has started is deaf to its stop": deafBelowResumed,
	"an agent that has its turns, and then the results of its own": turnAfterTurn,
	"a host that throws when it is given a message": throwingHost,
	"a wait that ends in the next session": waitOverNewSession,
};
