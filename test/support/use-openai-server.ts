import { onTestFinished } from "vitest";
import { type ChatHandler, type OpenAiServer, startOpenAiServer } from "./openai-server.ts";

/** A scripted model for the running test. It is closed at the test's end, and fails the test when its handler threw. */
export async function useOpenAiServer(handler: ChatHandler): Promise<OpenAiServer> {
	const server = await startOpenAiServer(handler);
	onTestFinished(() => server.close());
	return server;
}
