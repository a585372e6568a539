import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryRoot } from "./pi-cli.ts";

/** What goes into the package, and what is needed to build it. */
const sources = ["package.json", "extension.ts", "src", "docs", "README.md", "CHANGELOG.md", "LICENSE"];
const workshop = ["scripts", "tsconfig.json", "tsconfig.operators.json"];

/** The npm package, as it is in a project that depends on it. */
export interface InstalledPackage {
	/** A project with nothing in its `node_modules` but the package and RxJS. */
	readonly project: string;
	/** The package's own folder in there. */
	readonly folder: string;
	remove(): void;
}

/** The npm package as `npm publish` would send it. */
export interface PackedPackage {
	readonly tarball: string;
	/** Where the tarball is. */
	readonly folder: string;
	remove(): void;
}

/**
 * Packs the repository. It is a copy of the sources that is built, so that no `dist/` that lies around can pass for
 * theirs, and nobody else's is overwritten. Takes seconds: once a file is enough.
 */
export function packPackage(): PackedPackage {
	const temporary = mkdtempSync(join(tmpdir(), "packed-package-"));
	const copy = join(temporary, "copy");
	for (const entry of [...sources, ...workshop]) {
		const from = join(repositoryRoot, entry);
		if (existsSync(from)) cpSync(from, join(copy, entry), { recursive: true });
	}
	symlinkSync(join(repositoryRoot, "node_modules"), join(copy, "node_modules"));
	execFileSync("npm", ["pack", "--pack-destination", temporary], { cwd: copy, stdio: "pipe" });
	const [name = ""] = readdirSync(temporary).filter((file) => file.endsWith(".tgz"));
	return {
		tarball: join(temporary, name),
		folder: temporary,
		remove: () => rmSync(temporary, { recursive: true, force: true }),
	};
}

/** Packs the repository and unpacks the tarball in an empty project. */
export function installPackage(): InstalledPackage {
	const packed = packPackage();
	const project = join(packed.folder, "project");
	const folder = join(project, "node_modules/pi-rx-orchestrator");
	mkdirSync(folder, { recursive: true });
	execFileSync("tar", ["-xzf", packed.tarball, "-C", folder, "--strip-components=1"]);
	symlinkSync(join(repositoryRoot, "node_modules/rxjs"), join(project, "node_modules/rxjs"));
	writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }');
	return { project, folder, remove: packed.remove };
}
