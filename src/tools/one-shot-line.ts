/** What stands for "it comes by itself" where the session ends with the final answer: the end waits for agents. */
export const oneShotLine =
	"This session does not end before its agents have: results come by themselves as a message before your final answer. Do other work or end your turn, and do not sleep or poll. get_subagent_result reads them, and waits with wait: true.";
