import type { PiExit, PiProcess } from "./pi-process.ts";
import type { PiRecord } from "./pi-record.ts";

/** A command of Pi's RPC mode, without the id. */
export interface RpcCommand {
	readonly type: string;
	readonly [field: string]: unknown;
}

/** Drives a `pi --mode rpc`. */
export interface PiRpc extends PiProcess {
	/** All records so far: responses, session events and extension UI records. */
	readonly events: readonly PiRecord[];
	/** Sends a command and does not wait. Returns the id that its response will carry. */
	send(command: RpcCommand): string;
	/** Sends a command and gives its response. Rejects when the response says `success: false`. */
	request(command: RpcCommand): Promise<PiRecord>;
	/** Sends a command and gives its response, whatever it says. */
	ask(command: RpcCommand): Promise<PiRecord>;
	/** Prompts and waits until the session has settled after it. Gives the records of that time. */
	prompt(message: string): Promise<readonly PiRecord[]>;
	/** Closes stdin and waits for the end of the process. */
	stop(): Promise<PiExit>;
}

/** The RPC protocol over a running process. */
export function createPiRpc(process: PiProcess): PiRpc {
	let commands = 0;

	function send(command: RpcCommand): string {
		commands += 1;
		const id = `command-${commands}`;
		process.writeLine({ ...command, id });
		return id;
	}

	function ask(command: RpcCommand): Promise<PiRecord> {
		const id = send(command);
		return process.until((record) => record.type === "response" && record.id === id, `the answer to ${command.type}`);
	}

	async function request(command: RpcCommand): Promise<PiRecord> {
		const response = await ask(command);
		if (response.success !== true) {
			throw new Error(`${command.type} was refused: ${response.error}`);
		}
		return response;
	}

	async function prompt(message: string): Promise<readonly PiRecord[]> {
		const from = process.records.length;
		const settled = process.untilNext((record) => record.type === "agent_settled", "the session to settle");
		// Where the prompt is refused that is the error to show, and the process may end before the session settles.
		settled.catch(() => {});
		await request({ type: "prompt", message });
		await settled;
		return process.records.slice(from);
	}

	function stop(): Promise<PiExit> {
		process.closeStdin();
		return process.exit;
	}

	// Getters of the process stay live: a spread would freeze their first values.
	const client = Object.create(process) as PiProcess;
	return Object.assign(client, { events: process.records, send, request, ask, prompt, stop });
}
