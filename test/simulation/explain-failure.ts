import type { Script } from "./script.ts";
import { formatScript, shrinkScript } from "./shrink-script.ts";
import { simulate } from "./simulate.ts";

/** Words for a script that breaks a rule: which one, and the shortest script that does it too. */
export async function explainFailure(script: Script): Promise<string> {
	const { violation } = await simulate(script);
	if (violation === undefined) return `seed ${script.seed} breaks no rule`;
	const short = await shrinkScript(script, async (candidate) => {
		const report = await simulate(candidate);
		return report.violation?.rule === violation.rule;
	});
	const last = await simulate(short);
	return [
		`seed ${script.seed} breaks a rule.`,
		`${violation.message}`,
		`Its ${script.steps.length} steps come down to ${short.steps.length}; to keep them, put this into test/simulation/kept:`,
		formatScript(short),
		`${last.violation?.message}`,
	].join("\n");
}
