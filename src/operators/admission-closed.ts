/** What a source that still stood in line errors with when its admission is closed. */
export class AdmissionClosed extends Error {
	override readonly name = "AdmissionClosed";
	constructor() {
		super("The admission was closed before a slot became free");
	}
}
