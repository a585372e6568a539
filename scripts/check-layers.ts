import { checkLayers } from "./lib/layer-rules.ts";
import { sourceFiles } from "./lib/source-files.ts";
import { report } from "./lib/violation.ts";

/** Holds the direction of the layers; CONTRIBUTING.md has the picture. */
const files = sourceFiles("src");
report("layers", checkLayers(files), files.length);
