import { checkRepository } from "./lib/repository-rules.ts";
import { sourceFiles } from "./lib/source-files.ts";
import { report } from "./lib/violation.ts";

/** Holds what makes a test worth its run, and what keeps the repository free of any one machine. */
const files = sourceFiles();
report("tests", checkRepository(files), files.length);
