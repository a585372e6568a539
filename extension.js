import { existsSync } from "node:fs";

/**
 * What Pi loads. A checkout or an install from git has the sources, which Pi transforms as it loads them; they come
 * first, so that a `dist/` that somebody built yesterday is never what runs. The npm package ships no sources.
 */
const { default: extension } = existsSync(new URL("./src/index.ts", import.meta.url))
	? await import("./src/index.ts")
	: await import("./dist/index.js");

export default extension;
