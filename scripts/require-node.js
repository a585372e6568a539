// Plain JavaScript, so that an old Node can read it and say what is wrong instead of stumbling over a type.
const [major, minor] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 19)) {
	console.error(
		`Node ${process.versions.node} cannot run Pi or these scripts. The development dependency "node" brings one that ` +
			"can; its install script has not run. Install again without --ignore-scripts: npm ci",
	);
	process.exitCode = 1;
}
