import { existsSync } from "node:fs";
import type { ExtensionFactory } from "@earendil-works/pi-coding-agent";

/**
 * What Pi loads. A checkout or an install from git has the sources; they come first, so that a `dist/` that somebody
 * built yesterday is never what runs. The npm package ships the bundle alone.
 *
 * This file and what it loads end in `.ts` for a reason: Pi gives its own modules to files that it transforms, while it
 * leaves `.js` to Node, which takes whatever copy of Pi lies in a `node_modules` nearby.
 */
const entry = existsSync(new URL("./src/index.ts", import.meta.url)) ? "./src/index.ts" : "./dist/pi/index.ts";

const { default: extension }: { default: ExtensionFactory } = await import(entry);

export default extension;
