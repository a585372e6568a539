/** The host's `customType` of a message that publishes results. */
export const resultMessageType = "subagent-result";
/** The host's `customType` of a line that costs no turn: limits reached, stops, orphans found at start. */
export const noticeMessageType = "subagent-notice";
