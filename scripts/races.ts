import { readFileSync } from "node:fs";
import { races } from "../test/marbles/races/index.ts";
import { toolEdge } from "../test/marbles/races/tool-edge.ts";
import { keepPage } from "./lib/generated-page.ts";
import { racesPage } from "./lib/races-page.ts";
import { root } from "./lib/source-files.ts";

/** Writes docs/races.md from the race suite; `--check` fails when the page says something else. */
const files = [...races, toolEdge].map(({ file }) => file);
const sources = new Map(files.map((file) => [file, readFileSync(root + file, "utf8")]));
keepPage("docs/races.md", racesPage(races, toolEdge, sources), "npm run races");
