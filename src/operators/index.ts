/** Operators for running, limiting, awaiting and handing over work. RxJS is all they need. */
export { AdmissionClosed } from "./admission-closed.ts";
export type { ClaimInput, ClaimState } from "./claim-transition.ts";
export { claimTransition } from "./claim-transition.ts";
export type { Completion } from "./completion.ts";
export type { Admission, AdmissionOptions, AdmitOptions } from "./create-admission.ts";
export { createAdmission } from "./create-admission.ts";
export type { Backoff, BackoffOptions } from "./create-backoff.ts";
export { createBackoff } from "./create-backoff.ts";
export type { Mailbox } from "./create-mailbox.ts";
export { createMailbox } from "./create-mailbox.ts";
export { fromAbortSignal } from "./from-abort-signal.ts";
export { joinProgress } from "./join-progress.ts";
export { joinSettled } from "./join-settled.ts";
export type { Ends } from "./observe-completions.ts";
export type { HandOver, RefCountClaim } from "./ref-count-claim.ts";
export { refCountClaim } from "./ref-count-claim.ts";
export { shareCompletion } from "./share-completion.ts";
export { takeUntilAborted } from "./take-until-aborted.ts";
