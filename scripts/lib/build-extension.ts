import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "./source-files.ts";

const require = createRequire(import.meta.url);

/** Packages that the host gives to an extension, or that are too heavy to load before they are needed. */
const external = ["@earendil-works/*", "@sinclair/typebox", "@sinclair/typebox/*", "@opentelemetry/*"];

/** Bundles the extension into `outdir`, as files that end in `extension`. Resolves with the files that went in. */
export async function buildExtension(outdir: string, extension: ".js" | ".ts"): Promise<string[]> {
	const { metafile } = await build({
		absWorkingDir: root,
		entryPoints: { index: "src/index.ts" },
		outdir,
		outExtension: { ".js": extension },
		// Beside the entry, so that every module of a bundle is at the same depth below the package.
		chunkNames: "chunk-[name]-[hash]",
		bundle: true,
		splitting: true,
		format: "esm",
		platform: "node",
		target: "node22",
		external,
		// RxJS names its CommonJS build for Node, which cannot be shaken; its ES modules are the same code.
		// YAML's would ask for a `require` that a bundle of ES modules does not have.
		alias: {
			rxjs: join(require.resolve("rxjs/package.json"), "../dist/esm/index.js"),
			yaml: join(require.resolve("yaml/package.json"), "../browser/index.js"),
		},
		legalComments: "none",
		metafile: true,
		logLevel: "warning",
	});
	return Object.keys(metafile.inputs);
}
