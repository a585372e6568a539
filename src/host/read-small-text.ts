import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** More than a prompt should have, and little enough to be read at every call. In bytes. */
export const mostBytes = 65_536;

/**
 * The text of a file that a person wrote. Rejects with a reason in words when it is no file, too large, or no text; and
 * never waits, as opening a pipe would.
 */
export async function readSmallText(path: string): Promise<string> {
	const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
	try {
		const stats = await handle.stat();
		if (!stats.isFile()) throw new Error(stats.isDirectory() ? "it is a folder" : "it is no file");
		// Asked of what is read, not of the size that was told: the file may be growing.
		const { bytesRead, buffer } = await handle.read(Buffer.alloc(mostBytes + 1), 0, mostBytes + 1, 0);
		if (bytesRead > mostBytes) throw new Error(`it has ${stats.size} bytes, and ${mostBytes} is the most`);
		return decode(buffer.subarray(0, bytesRead));
	} finally {
		await handle.close();
	}
}

function decode(bytes: Uint8Array): string {
	if (bytes.includes(0)) throw new Error("it is no text: there are zero bytes in it");
	try {
		return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		throw new Error("it is no UTF-8 text");
	}
}
