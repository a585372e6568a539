/** Stands behind the task: what all members share comes first, where a provider's cache can share it too. */
export function swarmPrompt(task: string, number: number, count: number): string {
	return `${task}\n\nYou are agent ${number} of ${count} who work on this same task, each alone and unseen by the others. Come to conclusions of your own; you are free to disagree with what the others may find.`;
}

/** The brief that all members get, then the member's own task. */
export function crewPrompt(brief: string, name: string, task: string): string {
	return `${brief}\n\nYou are the member "${name}" of a crew, and all have got the brief above. Your own task:\n\n${task}`;
}
