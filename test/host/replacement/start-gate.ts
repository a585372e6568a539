import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createWatcher } from "../../support/watcher.ts";

/** A door at which sessions of agents wait while they start. */
export interface StartGate {
	readonly url: string;
	/** Resolves once somebody waits. */
	asked(): Promise<void>;
	/** Lets those in who wait now, and nobody else. */
	admit(): void;
	close(): void;
}

/** Opens it; the caller closes it. */
export async function openStartGate(): Promise<StartGate> {
	const watcher = createWatcher();
	let waiting: ServerResponse[] = [];
	const server = createServer((_request, response) => {
		waiting.push(response);
		watcher.notify();
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
		asked: async () => {
			await watcher.until(() => waiting.length > 0, "an agent that starts");
		},
		admit: () => {
			for (const response of waiting) response.end();
			waiting = [];
		},
		close: () => {
			watcher.close("the gate was closed");
			server.closeAllConnections();
			server.close();
		},
	};
}
