import { defineConfig } from "eslint/config";
import rxjsX from "eslint-plugin-rxjs-x";
import tseslint from "typescript-eslint";
import { finnishValues } from "./scripts/lint/finnish-values.js";

/**
 * ESLint holds what Biome cannot see: rules about RxJS, which need types. Style and everything else are Biome's.
 * CONTRIBUTING.md says why each rule is there.
 */
function onlyTheRoot(pattern, roots) {
	return ["error", { patterns: [{ regex: pattern, message: `Import ${roots}: the other paths are not public.` }] }];
}

export default defineConfig(
	{ ignores: ["dist/", "node_modules/", "coverage/", "reports/", ".stryker-tmp/", ".hosts/"] },
	{
		files: ["src/**/*.ts", "test/**/*.ts"],
		extends: [tseslint.configs.base, rxjsX.configs.strict],
		plugins: { local: { rules: { "finnish-values": finnishValues } } },
		languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
		linterOptions: { reportUnusedDisableDirectives: "error" },
		rules: {
			"rxjs-x/no-ignored-subscription": "error",
			"rxjs-x/no-subject-value": "error",
			"rxjs-x/no-unsafe-takeuntil": ["error", { alias: ["takeUntilAborted"] }],
			"rxjs-x/no-sharereplay": ["error", { allowConfig: false }],
			"rxjs-x/ban-operators": ["error", { shareReplay: "use shareCompletion()" }],
			"local/finnish-values": [
				"error",
				{ functions: false, methods: false, objects: false, names: { "^source$": false } },
			],
		},
	},
	{ files: ["src/**/*.ts"], rules: { "no-restricted-imports": onlyTheRoot("^rxjs/", '"rxjs"') } },
	{
		files: ["test/**/*.ts"],
		rules: { "no-restricted-imports": onlyTheRoot("^rxjs/(?!testing$)", '"rxjs" or "rxjs/testing"') },
	},
);
