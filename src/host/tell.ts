import type { ExtensionContext } from "@earendil-works/pi-coding-agent";

/** Shows a text where there is a person or a program to see it, and on the error stream where there is neither. */
export function tell(ctx: ExtensionContext, text: string, type: "info" | "warning"): void {
	if (ctx.hasUI) ctx.ui.notify(text, type);
	else process.stderr.write(`${text}\n`);
}
