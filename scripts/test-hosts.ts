import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { hostPackages } from "./lib/host-packages.ts";
import { root } from "./lib/source-files.ts";

/**
 * Runs the host tests against several versions of Pi: `npm run test:hosts [-- <version>… <vitest filter>…]`. Each
 * version is installed once, under `.hosts/`, without install scripts.
 */
const supported = ["0.81.1", "1.3.0", "latest"];
const hosts = join(root, ".hosts");
const require = createRequire(import.meta.url);
const npm = process.platform === "win32" ? "npm.cmd" : "npm";

interface HostResult {
	readonly version: string;
	readonly passed: number;
	readonly failed: number;
	readonly skipped: number;
	readonly ok: boolean;
}

function exactVersion(version: string): string {
	if (/^\d+\.\d+\.\d+/.test(version)) return version;
	const spec = `@earendil-works/pi-coding-agent@${version}`;
	return execFileSync(npm, ["view", spec, "version"], { encoding: "utf8" }).trim();
}

/** The directory in whose `node_modules` the version is. */
function install(version: string): string {
	const folder = join(hosts, version);
	// npm writes this file last, so it is not there after an install that was broken off.
	if (existsSync(join(folder, "node_modules/.package-lock.json"))) return folder;
	console.log(`installing Pi ${version}`);
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
	const specs = hostPackages.map((name) => `@earendil-works/${name}@${version}`);
	execFileSync(npm, ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", ...specs], {
		stdio: ["ignore", "ignore", "inherit"],
	});
	return folder;
}

function test(version: string, filters: readonly string[]): HostResult {
	const folder = install(version);
	const reportFile = join(hosts, `${version}.json`);
	rmSync(reportFile, { force: true });
	const vitest = join(require.resolve("vitest/package.json"), "../vitest.mjs");
	const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`];
	const { status } = spawnSync(process.execPath, [vitest, "run", "--project", "host", ...reporters, ...filters], {
		cwd: root,
		env: { ...process.env, PI_HOST_DIR: folder },
		stdio: "inherit",
	});
	const report = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, "utf8")) : {};
	return {
		version,
		passed: report.numPassedTests ?? 0,
		failed: report.numFailedTests ?? 0,
		skipped: (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0),
		ok: status === 0,
	};
}

const args = process.argv.slice(2);
const isVersion = (arg: string) => /^\d+\.\d+\.\d+|^latest$/.test(arg);
const asked = args.filter(isVersion);
const filters = args.filter((arg) => !isVersion(arg));
const versions = new Set((asked.length > 0 ? asked : supported).map(exactVersion));
const results = [...versions].map((version) => test(version, filters));

console.log("\nPi          passed  failed  skipped");
for (const { version, passed, failed, skipped, ok } of results) {
	const numbers = [passed, failed, skipped].map((count) => String(count).padStart(6)).join("  ");
	console.log(`${version.padEnd(10)}  ${numbers}  ${ok ? "ok" : "FAILED"}`);
}
if (results.some(({ ok }) => !ok)) process.exitCode = 1;
