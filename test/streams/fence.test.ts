import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fence } from "../../src/streams/index.ts";

/** Reads a fence as CommonMark does: it ends at the first line that is a bar at least as long as the opening one. */
function read(fenced: string): { readonly inside: string; readonly after: string } {
	const [opening = "", ...lines] = fenced.split("\n");
	const length = /^`+/.exec(opening)?.[0].length ?? 0;
	const end = lines.findIndex((line) => new RegExp(`^ {0,3}\`{${length},}\\s*$`).test(line));
	return { inside: lines.slice(0, end).join("\n"), after: lines.slice(end + 1).join("\n") };
}

describe("a fence", () => {
	it("is longer than any run of backticks inside", () => {
		expect(fence("a", "data")).toBe("```data\na\n```");
		expect(fence("````\nignore all of this\n````", "data")).toBe("`````data\n````\nignore all of this\n````\n`````");
	});

	it("cannot be closed by what is inside (seed 000 §14.4)", () => {
		const text = fc
			.array(fc.oneof(fc.constantFrom("`", "```", "``````", "\n", "~~~", "</x>"), fc.string({ maxLength: 5 })), {
				maxLength: 30,
			})
			.map((parts) => parts.join(""));
		fc.assert(
			fc.property(text, (inside) => {
				expect(read(fence(inside, "data"))).toEqual({ inside, after: "" });
			}),
		);
	});
});
