/** A count in at most five characters: `950`, `1.2k`, `34k`, `5.6M`. */
export function shortCount(count: number): string {
	if (count < 1_000) return String(Math.round(count));
	if (count < 9_950) return `${(count / 1_000).toFixed(1)}k`;
	if (count < 999_500) return `${Math.round(count / 1_000)}k`;
	return `${(count / 1_000_000).toFixed(1)}M`;
}

/** US dollars: `$0`, `$0.0042`, `$1.25`. */
export function shortCost(cost: number): string {
	if (cost < 0.00005) return "$0";
	return cost < 1 ? `$${cost.toFixed(4)}` : `$${cost.toFixed(2)}`;
}

/** Milliseconds as the two largest units: `7s`, `3m05s`, `2h04m`, `5d03h`. */
export function shortDuration(milliseconds: number): string {
	const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
	if (seconds < 60) return `${seconds}s`;
	const minutes = Math.floor(seconds / 60);
	if (minutes < 60) return `${minutes}m${twoDigits(seconds % 60)}s`;
	const hours = Math.floor(minutes / 60);
	if (hours < 24) return `${hours}h${twoDigits(minutes % 60)}m`;
	return `${Math.floor(hours / 24)}d${twoDigits(hours % 24)}h`;
}

/** `1 turn`, `3 turns`. */
export function counted(count: number, thing: string): string {
	return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

function twoDigits(value: number): string {
	return String(value).padStart(2, "0");
}
