/** What stands for "it comes by itself" where the session ends with the answer, and nothing can come afterwards. */
export const oneShotLine =
	"This session ends with your final answer, and the agent is stopped then: wait for it with get_subagent_result wait: true before you answer.";
