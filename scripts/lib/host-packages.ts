import { join } from "node:path";
import type { Plugin } from "vite";

/** The host's packages, all of which are published together under one version. */
export const hostPackages = ["pi-coding-agent", "pi-agent-core", "pi-ai", "pi-tui"] as const;

const hostSpecifier = new RegExp(`^@earendil-works/(?:${hostPackages.join("|")})(?:/.*)?$`);

/**
 * Resolves the host's packages as if they were imported from `hostDir`, in whose `node_modules` another version of Pi is
 * installed: package roots and subpaths alike, by that version's own `exports`.
 */
export function resolveHostFrom(hostDir: string): Plugin {
	return {
		name: "resolve-host-from",
		enforce: "pre",
		async resolveId(specifier) {
			if (!hostSpecifier.test(specifier)) return null;
			// Vite resolves from the importer's folder, and from the root where there is no such file.
			const found = await this.resolve(specifier, join(hostDir, "package.json"), { skipSelf: true });
			if (!found) throw new Error(`${specifier} is not there in ${hostDir}`);
			return found;
		},
	};
}
