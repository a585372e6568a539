/** A count, exact below ten thousand and to three digits above: `9999`, `12.3k`, `4.5M`. */
export function formatCount(count: number): string {
	if (count < 10_000) return String(Math.round(count));
	if (count < 999_500) return `${threeDigits(count / 1000)}k`;
	return `${threeDigits(count / 1_000_000)}M`;
}

/** US dollars without the sign, with as many places as tell something: `0`, `0.0042`, `1.23`. */
export function formatCost(cost: number): string {
	if (cost < 0.00005) return "0";
	return cost < 1 ? cost.toFixed(4).replace(/0+$/, "").replace(/\.$/, "") : cost.toFixed(2);
}

/** Milliseconds as seconds, with a tenth below a hundred: `3.2s`, `340s`. */
export function formatSeconds(milliseconds: number): string {
	const seconds = Math.max(0, milliseconds) / 1000;
	return `${seconds < 99.95 ? trimZero(seconds.toFixed(1)) : seconds.toFixed(0)}s`;
}

function threeDigits(value: number): string {
	return trimZero(value < 99.95 ? value.toFixed(1) : value.toFixed(0));
}

function trimZero(digits: string): string {
	return digits.replace(/\.0$/, "");
}
