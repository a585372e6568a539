/** Why a run could not begin. Its message is the outcome's. */
export class StartupFailure extends Error {
	override readonly name = "StartupFailure";
}
