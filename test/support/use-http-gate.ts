import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createGate } from "./gate.ts";
import { createWatcher } from "./watcher.ts";

/** A door for code in another process, which asks at `url` and goes on when it has an answer. */
export interface HttpGate {
	readonly url: string;
	/** Resolves once that many have asked, whether they were let through or wait. */
	asked(count: number): Promise<void>;
	/** Answers all who wait, and all who come after. */
	open(): void;
}

/** A gate for the running test that lets the first `free` through, and keeps the others until it is opened. */
export async function useHttpGate(free: number): Promise<HttpGate> {
	const gate = createGate();
	const watcher = createWatcher();
	let count = 0;
	const admit = async (response: ServerResponse) => {
		count += 1;
		watcher.notify();
		if (count > free) await gate.opened;
		response.end();
	};
	const server = createServer((_request, response) => void admit(response));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => {
		gate.open();
		watcher.close("the gate was closed");
		server.closeAllConnections();
		server.close();
	});
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
		asked: async (wanted) => {
			await watcher.until(() => count >= wanted, `${wanted} to ask at the gate`);
		},
		open: () => gate.open(),
	};
}
