import { defineConfig } from "vitest/config";

/**
 * Three projects, by what they need: `marbles` runs in virtual time, `unit` is pure, `host` starts real Pi sessions and
 * processes. Nothing is retried, and no test is measured against the clock.
 */
export default defineConfig({
	test: {
		projects: [
			{ test: { name: "marbles", include: ["test/marbles/**/*.test.ts"] } },
			{
				test: {
					name: "unit",
					include: ["test/{streams,tools,profiles,ui,scripts}/**/*.test.ts"],
				},
			},
			{
				test: {
					name: "host",
					include: ["test/host/**/*.test.ts"],
					testTimeout: 60_000,
					hookTimeout: 60_000,
				},
			},
		],
	},
});
