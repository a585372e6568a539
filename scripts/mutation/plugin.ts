import { declareFactoryPlugin, PluginKind } from "@stryker-mutator/api/plugin";
import { createInProcessRunner } from "./in-process-runner.ts";

/** What `stryker.config.json` names under `plugins`. */
export const strykerPlugins = [
	declareFactoryPlugin(
		PluginKind.TestRunner,
		"in-process",
		Object.assign(createInProcessRunner, { inject: [] as const }),
	),
];
