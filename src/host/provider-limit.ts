import { type AssistantMessage, isRetryableAssistantError } from "@earendil-works/pi-ai";

/** A provider that takes no more requests for now, as one of them was told. */
export class ProviderLimit extends Error {
	override readonly name = "ProviderLimit";
}

/** How providers say that too much is asked, as against that something is broken. */
const tooMuch =
	/(?<![a-z0-9])(?:429|503|529)(?![a-z0-9])|too many requests|rate.?limit|overloaded|at capacity|high demand|busy|resource.?exhausted/i;

/**
 * Whether a message ended at the provider's limit. Not where the host would not ask again: what is used up for the day
 * is not there in a minute either. Pure.
 */
export function limitOf(message: AssistantMessage): ProviderLimit | undefined {
	const { errorMessage = "" } = message;
	return isRetryableAssistantError(message) && tooMuch.test(errorMessage) ? new ProviderLimit(errorMessage) : undefined;
}

/** What `retry-after-ms` or `retry-after` (seconds or a date) ask for, in milliseconds. Pure. */
export function waitAskedBy(headers: Pick<Headers, "get">, now: number): number | undefined {
	const exact = Number.parseFloat(headers.get("retry-after-ms") ?? "");
	if (Number.isFinite(exact)) return Math.max(0, exact);
	const text = headers.get("retry-after") ?? "";
	const seconds = Number.parseFloat(text);
	const wait = Number.isNaN(seconds) ? Date.parse(text) - now : seconds * 1000;
	return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}
