import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of this repository. */
export const repositoryRoot: string = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** An installed Pi. */
export interface PiInstallation {
	/** The script that `node` runs. */
	readonly cli: string;
	readonly version: string;
}

/**
 * The Pi under test: the one in `hostDir`'s node_modules. By default `PI_HOST_DIR` names the directory, else it is this
 * repository, whose development dependency is the newest host that is supported.
 */
export function findPi(hostDir: string = process.env.PI_HOST_DIR ?? repositoryRoot): PiInstallation {
	const packageDir = join(resolve(hostDir), "node_modules/@earendil-works/pi-coding-agent");
	const manifest = JSON.parse(readFileSync(join(packageDir, "package.json"), "utf8")) as {
		version: string;
		bin: string | Record<string, string>;
	};
	const bin = typeof manifest.bin === "string" ? manifest.bin : manifest.bin.pi;
	if (bin === undefined) {
		throw new Error(`${packageDir} has no pi command`);
	}
	return { cli: join(packageDir, bin), version: manifest.version };
}

/** A Node that Pi runs on (22.19 or newer): this process's own, else the one among the development dependencies. */
export function nodeForPi(): string {
	const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
	const local = join(repositoryRoot, "node_modules/.bin/node");
	return major > 22 || (major === 22 && minor >= 19) || !existsSync(local) ? process.execPath : local;
}

/** The variable that names the extension that `stage-extension.ts` has staged. */
export const stagedExtension = "PI_STAGED_EXTENSION";

/** The file that Pi loads as this repository's extension: the one that is staged, else the checkout's, by the manifest. */
export function ownExtension(): string {
	const staged = process.env[stagedExtension];
	if (staged !== undefined) return staged;
	const manifest = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as {
		pi: { extensions: [string] };
	};
	return join(repositoryRoot, manifest.pi.extensions[0]);
}
