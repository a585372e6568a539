import { Agent } from "@earendil-works/pi-agent-core";
import { fauxProvider } from "@earendil-works/pi-ai";
import * as compat from "@earendil-works/pi-ai/compat";
import { VERSION } from "@earendil-works/pi-coding-agent";
import { visibleWidth } from "@earendil-works/pi-tui";
import { expect, it } from "vitest";
import { findPi } from "../support/pi-cli.ts";

it("is one version of Pi, as a command and as a library", () => {
	expect(VERSION).toBe(findPi().version);
});

it("has the packages and subpaths that the host tests import", () => {
	const exports = [Agent, fauxProvider, visibleWidth, compat.fauxProvider];

	expect(exports.map((value) => typeof value)).toEqual(["function", "function", "function", "function"]);
	// A second copy of the package would have a function of its own.
	expect(compat.fauxProvider).toBe(fauxProvider);
});
