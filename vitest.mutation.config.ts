import { defineConfig } from "vitest/config";

/**
 * The tests that judge mutants of the operators and the streams: those in virtual time and the pure ones. The exhaustive
 * tests and the soak are left out, since they would be run for every mutant of what they cover; what they find first is a
 * marble here. The tests of the test support judge no product code.
 */
export default defineConfig({
	test: {
		include: ["test/marbles/**/*.test.ts", "test/streams/**/*.test.ts"],
		exclude: ["test/marbles/operators/*-orderings.test.ts", "test/marbles/support/**", "test/streams/soak.test.ts"],
		// Instrumented code on a busy machine: a test of a whole year takes its time.
		testTimeout: 60_000,
		// The same verdicts in four fifths of the time: these tests leave nothing behind for each other.
		isolate: false,
	},
});
