import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { countReporter } from "./scripts/lib/count-reporter.ts";
import { resolveHostFrom } from "./scripts/lib/host-packages.ts";

/** Another Pi than the one among the development dependencies; `npm run test:hosts` sets it. */
const hostDir = process.env.PI_HOST_DIR;

/**
 * The files that a worker runs share their modules. There is no state in a module to leak from one to the next, and to
 * load them anew for each file took longer than the tests. Node loads the sources by itself, as it does without Vitest;
 * only to put another Pi in place of the installed one takes Vite.
 */
const together = { isolate: false, experimental: { viteModuleRunner: hostDir !== undefined } };

/**
 * Projects, by what they need: `marbles` and `orderings` run in virtual time, `unit` is pure, `host` starts real Pi
 * sessions and processes. Nothing is retried, and no test is measured against the clock.
 */
export default defineConfig({
	test: {
		// One more than the two cores that this has to do with: most of what is waited for here is processes.
		maxWorkers: 3,
		reporters: ["default", countReporter()],
		projects: [
			{ test: { name: "marbles", ...together, include: ["test/marbles/**/*.test.ts"] } },
			{
				test: {
					name: "unit",
					...together,
					// All the rest, so that no new folder is forgotten.
					include: ["test/**/*.test.ts"],
					exclude: ["test/{marbles,orderings,simulation,host}/**"],
					// The tests of the package start npm and the compiler.
					testTimeout: 60_000,
					hookTimeout: 120_000,
				},
			},
			// All orderings of what can happen to a result: within a minute on two cores.
			{ test: { name: "orderings", ...together, include: ["test/orderings/**/*.test.ts"] } },
			// Whole sessions over a host that misbehaves: promises are real there, time is not.
			{ test: { name: "simulation", ...together, include: ["test/simulation/**/*.test.ts"], testTimeout: 60_000 } },
			{
				plugins: hostDir === undefined ? [] : [resolveHostFrom(resolve(hostDir))],
				test: {
					name: "host",
					...together,
					include: ["test/host/**/*.test.ts"],
					globalSetup: ["test/support/stage-extension.ts"],
					testTimeout: 120_000,
					hookTimeout: 120_000,
				},
			},
		],
	},
});
