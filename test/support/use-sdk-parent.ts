import { onTestFinished } from "vitest";
import { createSdkParent, type SdkParent, type SdkParentOptions } from "./sdk-parent.ts";

/** A real parent session in this process for the running test. It is shut down and its home removed at the end. */
export async function useSdkParent(options: SdkParentOptions): Promise<SdkParent> {
	const parent = await createSdkParent(options);
	onTestFinished(() => parent.dispose());
	return parent;
}
