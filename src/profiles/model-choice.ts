import { byCloseness } from "./closest.ts";
import { listWords, quote } from "./wording.ts";

export type ModelChoice = { readonly ok: true; readonly id: string } | { readonly ok: false; readonly problem: string };

/**
 * The one available model that a reference names. The first of these that fits decides: the exact `provider/id`; the
 * same in another case; a whole name after the provider; a part of an id. A reference that fits several models at its
 * step is refused: a guess would spend money on the wrong one. `outOfScope` has models that could be had and may not be
 * used: where one of them is meant, the refusal says so.
 */
export function chooseModel(
	reference: string,
	available: readonly string[],
	outOfScope: readonly string[] = [],
): ModelChoice {
	if (available.includes(reference)) return { ok: true, id: reference };
	const wanted = reference.trim().toLowerCase();
	const steps: readonly ((id: string) => boolean)[] = [
		(id) => id === wanted,
		(id) => id.slice(id.indexOf("/") + 1) === wanted,
		(id) => id.includes(wanted),
	];
	for (const fits of steps) {
		const matches = available.filter((id) => fits(id.toLowerCase()));
		const [only] = matches;
		if (only === undefined) continue;
		if (matches.length === 1) return { ok: true, id: only };
		return { ok: false, problem: `model "${quote(reference)}" fits several models: ${listWords(matches)}` };
	}
	if (available.length === 0) return { ok: false, problem: `model "${quote(reference)}": no model is available` };
	const known = listWords(byCloseness(reference, available));
	if (outOfScope.length > 0 && chooseModel(reference, outOfScope).ok) {
		const scope = "is out of this session's scope of models (enabledModels or --models)";
		return { ok: false, problem: `model "${quote(reference)}" ${scope}; there are: ${known}` };
	}
	return { ok: false, problem: `no model "${quote(reference)}" is available; there are: ${known}` };
}
