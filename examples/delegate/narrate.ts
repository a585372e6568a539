import { agentIdIn, bodyOf, type Line, textOf } from "./transcript.ts";

/** Turns Pi's events, one by one, into lines for a person. Keeps what it needs to not say the same twice. */
export function createNarrator(print: (line: string) => void): (event: Line) => void {
	const said = new Map<string, string>();

	function tell(who: string, what: string): void {
		print(`${who.padEnd(10)} ${what}`);
	}

	function tellUpdate(event: Line): void {
		const latest = bodyOf(textOf(event.partialResult)).replaceAll("\n", " · ");
		const key = event.toolCallId ?? "";
		if (latest !== "" && said.get(key) !== latest) {
			said.set(key, latest);
			tell("  update", latest);
		}
	}

	function tellPublication(source: Line | Line["message"]): void {
		const text = textOf(source);
		tell("published", `${agentIdIn(text) ?? "?"}: ${lastLine(bodyOf(text))}`);
	}

	return (event) => {
		switch (event.type) {
			case "tool_execution_start":
				return tell("lead", describeCall(event));
			case "tool_execution_update":
				return tellUpdate(event);
			case "tool_execution_end":
				return tell(event.isError ? "  failed" : "  result", describeResult(textOf(event.result)));
			case "entry_appended":
				return event.entry && isPublication(event.entry) ? tellPublication(event.entry) : undefined;
			case "message_end":
				if (event.message?.role === "assistant" && textOf(event.message) !== "") {
					return textOf(event.message)
						.split("\n")
						.forEach((line) => {
							tell("lead says", line);
						});
				}
		}
	};
}

/** Whether a line of a session file is a result that the extension published. */
export function isPublication(line: Line): boolean {
	return line.type === "custom_message" && line.customType === "subagent-result";
}

function describeCall({ toolName, args = {} }: Line): string {
	switch (toolName) {
		case "Agent":
			return `starts an agent ${args.run_in_background === true ? "in the background" : "and waits for it"}: "${args.description}"`;
		case "steer_subagent":
			return `steers ${args.agent_id}: "${args.message}"`;
		case "get_subagent_result":
			return `asks for the result of ${args.agent_id}${args.wait === true ? " and waits" : ""}`;
		default:
			return `calls ${toolName}`;
	}
}

function describeResult(text: string): string {
	const id = agentIdIn(text);
	const status = /^status: (.+)$/m.exec(text)?.[1];
	return id === undefined ? lastLine(text) : `${id} ${status ?? ""}: ${lastLine(bodyOf(text))}`;
}

/** The last line that says something: a child's text stands between fences where it is published. */
function lastLine(text: string): string {
	return (
		text
			.split("\n")
			.findLast((line) => line.trim() !== "" && !line.startsWith("```"))
			?.trim() ?? ""
	);
}
