import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { verify } from "../../examples/delegate/verify.ts";
import { createWorkspace } from "../../examples/delegate/workspace.ts";
import { nodeForPi, repositoryRoot } from "../support/pi-cli.ts";

const run = promisify(execFile);

describe("the demonstration", () => {
	it("proves from the transcripts that every step took place, and leaves nothing behind", async () => {
		const temporary = mkdtempSync(join(tmpdir(), "example-"));
		onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
		const demonstration = run(nodeForPi(), ["examples/delegate/main.ts"], {
			cwd: repositoryRoot,
			env: { ...process.env, TMPDIR: temporary },
		});
		onTestFinished(() => {
			demonstration.child.kill();
		});
		// It rejects on any exit code but 0.
		const { stdout } = await demonstration;
		expect(stdout).toContain("The delegation took place.");
		expect(stdout.match(/^ {2}(yes|NO) /gm)).toEqual(Array.from({ length: 8 }, () => "  yes "));
		expect(readdirSync(temporary)).toEqual([]);
	});

	it("finds no step in a workspace where nothing happened", () => {
		const workspace = createWorkspace();
		onTestFinished(workspace.remove);
		expect(verify(workspace).filter((step) => step.took)).toEqual([]);
	});
});
