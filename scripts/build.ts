import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { buildExtension } from "./lib/build-extension.ts";
import { root } from "./lib/source-files.ts";

/**
 * What npm ships: `dist/operators`, compiled file by file with types and RxJS outside; `dist/pi`, the extension as one
 * bundle with RxJS inside, since Pi transforms every file that it loads; and the same bundle as `dist/index.js`, for
 * those who give the extension to the SDK. What a bundle imports only when it is needed is in chunks of its own.
 */
const dist = join(root, "dist");
const require = createRequire(import.meta.url);

const declarations = `import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

/** The extension: what Pi calls when it loads the package. */
declare function extension(pi: ExtensionAPI): void | Promise<void>;
export default extension;
`;

function buildOperators(): void {
	const tsc = join(require.resolve("typescript-native/package.json"), "../bin/tsc");
	execFileSync(process.execPath, [tsc, "-p", "tsconfig.operators.json"], { cwd: root, stdio: "inherit" });
	// The compiler names the compiled files in what it emits as code, and still the sources in its declarations.
	const folder = join(dist, "operators");
	for (const file of readdirSync(folder).filter((name) => name.endsWith(".d.ts"))) {
		const text = readFileSync(join(folder, file), "utf8");
		writeFileSync(join(folder, file), text.replaceAll(/(["'])(\.{1,2}\/[^"']+)\.ts\1/g, "$1$2.js$1"));
	}
}

/** The licences of the packages that went into the bundle, which ask to be kept with copies of their code. */
function licenses(inputs: readonly string[]): string {
	const folders = new Set(inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []));
	return [...folders]
		.sort()
		.map(license)
		.join(`\n${"-".repeat(80)}\n\n`);
}

function license(folder: string): string {
	const { name, version } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
	const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
	if (file === undefined) throw new Error(`${name} went into the bundle and has no licence file to ship with it`);
	return `${name} ${version}\n\n${readFileSync(join(root, folder, file), "utf8").trimEnd()}\n`;
}

rmSync(dist, { recursive: true, force: true });
buildOperators();
if (existsSync(join(root, "src/index.ts"))) {
	const inputs = await buildExtension(dist, ".js");
	writeFileSync(join(dist, "index.d.ts"), declarations);
	writeFileSync(join(dist, "THIRD_PARTY_LICENSES.txt"), licenses(inputs));
	// See extension.ts for why Pi wants it under this name.
	await buildExtension(join(dist, "pi"), ".ts");
} else {
	console.warn("src/index.ts is not there yet: only the operators were built");
}
