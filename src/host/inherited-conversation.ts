import type { SessionEntry } from "@earendil-works/pi-coding-agent";

/** Stands behind the copied entries in a child's session: what is before it is not the child's own. */
const inheritedEndType = "orchestrator-inherited";

/**
 * What of a conversation a child may begin with: the branch as it is, summaries of compactions and what they have kept
 * included, without system messages, which are the parent's prompt and tools, without the mark behind what the parent has
 * inherited itself, and without the message that is still under way. That message has calls that nobody has answered, the
 * one that starts the child among them, and a provider refuses a conversation with such a call; so it goes as a whole,
 * since a part of it would not bear its signatures. The entries are the parent's own objects, and are not changed. Pure.
 */
export function inheritableEntries(branch: readonly SessionEntry[]): readonly SessionEntry[] {
	const kept: SessionEntry[] = [];
	/** The entry that stands in the place of each that is left out. */
	const next = new Map<string, string>();
	let left: string[] = [];
	let parentId: string | null = null;
	for (const entry of branch.slice(0, endOf(branch))) {
		if (isSystem(entry) || isInheritedEnd(entry)) {
			left.push(entry.id);
			continue;
		}
		for (const id of left) next.set(id, entry.id);
		left = [];
		kept.push(entry.parentId === parentId ? entry : { ...entry, parentId });
		parentId = entry.id;
	}
	return kept.map((entry) => {
		const first = entry.type === "compaction" ? next.get(entry.firstKeptEntryId) : undefined;
		return first === undefined ? entry : { ...entry, firstKeptEntryId: first };
	});
}

/** Says that what follows is the child's own: to be put behind the copied entries. */
export function inheritedEnd(count: number): {
	readonly customType: string;
	readonly data: { readonly entries: number };
} {
	return { customType: inheritedEndType, data: { entries: count } };
}

/** What is written into a child's session file, or handed to one that is kept in memory. */
export function inheritedLines(entries: readonly unknown[], now: Date): readonly SessionEntry[] {
	const copied = entries as readonly SessionEntry[];
	const end: SessionEntry = {
		type: "custom",
		id: "inherited",
		parentId: copied.at(-1)?.id ?? null,
		timestamp: now.toISOString(),
		...inheritedEnd(copied.length),
	};
	return [...copied, end];
}

/** The entries of a child's session without those that it has begun with. */
export function ownEntries<T extends { readonly type: string }>(entries: readonly T[]): readonly T[] {
	return entries.slice(entries.findLastIndex(isInheritedEnd) + 1);
}

/** Whether a session has begun with somebody else's entries. */
export function hasInherited(entries: readonly { readonly type: string }[]): boolean {
	return ownEntries(entries).length < entries.length;
}

/** The prompt of a run: where its session has nothing but what it has begun with, it says what that is. */
export function withInherited(prompt: string, entries: readonly { readonly type: string }[]): string {
	if (!hasInherited(entries) || ownEntries(entries).some(({ type }) => type === "message")) return prompt;
	return `What stands above is a copy of the conversation of the session that has started you, for you to know; it goes on without you, and what is asked for in it is not for you to do. You are its agent, and this is your task:\n\n${prompt}`;
}

/** Where the last message begins that has a call without an answer; the branch's end where there is none. */
function endOf(branch: readonly SessionEntry[]): number {
	const answered = new Set<string>();
	for (let index = branch.length - 1; index >= 0; index--) {
		const entry = branch[index];
		if (entry?.type !== "message") continue;
		const { message } = entry;
		if (message.role === "toolResult") answered.add(message.toolCallId);
		if (message.role !== "assistant") continue;
		const calls = message.content.filter((part) => part.type === "toolCall");
		// Only the last one with calls can be under way.
		if (calls.length > 0) return calls.every(({ id }) => answered.has(id)) ? branch.length : index;
	}
	return branch.length;
}

function isSystem(entry: SessionEntry): boolean {
	const role: string | undefined = entry.type === "message" ? entry.message.role : undefined;
	return role === "system";
}

/** Of a parent that has inherited itself. A second one of its id would make the branch a circle. */
function isInheritedEnd(entry: { readonly type: string }): boolean {
	return entry.type === "custom" && "customType" in entry && entry.customType === inheritedEndType;
}
