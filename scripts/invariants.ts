import { races } from "../test/marbles/races/index.ts";
import { toolEdge } from "../test/marbles/races/tool-edge.ts";
import { chapters } from "./lib/contract.ts";
import { keepPage } from "./lib/generated-page.ts";
import { later } from "./lib/invariants-later.ts";
import { complaints, coverage, invariantsPage, printedTable } from "./lib/invariants-table.ts";
import { raceTitles } from "./lib/race-titles.ts";
import { sourceFiles } from "./lib/source-files.ts";
import { testTitles } from "./lib/test-titles.ts";
import { report } from "./lib/violation.ts";

/**
 * Prints which tests hold the demands of the contract and fails on a hole. `--write` writes docs/invariants.md as well;
 * `--check` compares that page and prints no table.
 */
// The tests of the scripts quote references; they hold nothing of the contract.
const files = sourceFiles("test").filter(({ path }) => !path.startsWith("test/scripts/"));
const sources = new Map(files.map(({ path, text }) => [path, text]));
const tests = [
	...files.filter(({ path }) => path.endsWith(".test.ts")).flatMap(testTitles),
	...raceTitles([...races, toolEdge], sources),
];
const covered = coverage(chapters, tests, later);
if (process.argv.includes("--write") || process.argv.includes("--check")) {
	keepPage("docs/invariants.md", invariantsPage(covered), "npm run invariants -- --write");
}
if (!process.argv.includes("--check")) for (const line of printedTable(covered)) console.log(line);
report("contract", complaints(covered, tests, later), files.length);
