/** A member of a graph, as far as the graph goes. */
export interface GraphMember {
	readonly name: string;
	/** Names of members that this one waits for. */
	readonly after: readonly string[];
}

/**
 * What is wrong with a graph of members, one sentence each, nothing when it can be run: names that are used twice, names
 * that nobody has, members that wait for themselves or, in a circle, for each other.
 */
export function checkGraph(members: readonly GraphMember[]): readonly string[] {
	const names = members.map(({ name }) => name);
	const repeated = repeats(names).map((name) => `More than one member is named ${quote(name)}.`);
	return [...repeated, ...members.flatMap((member) => checkMember(member, names)), ...checkCircles(members)];
}

function checkMember({ name, after }: GraphMember, names: readonly string[]): string[] {
	const unknown = [...new Set(after)].filter((other) => !names.includes(other));
	return [
		...repeats(after).map((other) => `${quote(name)} names ${quote(other)} more than once in after.`),
		...unknown.map((other) => `${quote(name)} waits for ${quote(other)}, but the members are ${list(names)}.`),
		...(after.includes(name) ? [`${quote(name)} waits for itself.`] : []),
	];
}

/** Each circle once, in the order in which its members wait. */
function checkCircles(members: readonly GraphMember[]): string[] {
	const byName = new Map(members.map((member) => [member.name, member]));
	const done = new Set<string>();
	const problems: string[] = [];
	const visit = (name: string, path: readonly string[]): void => {
		const start = path.indexOf(name);
		if (start >= 0) {
			const circle = [...path.slice(start), name];
			// Longer than a member and itself: that has been said.
			if (circle.length > 2) problems.push(`These wait for each other in a circle: ${circle.map(quote).join(" → ")}.`);
			return;
		}
		if (done.has(name)) return;
		for (const other of new Set(byName.get(name)?.after)) visit(other, [...path, name]);
		done.add(name);
	};
	for (const { name } of members) visit(name, []);
	return problems;
}

function repeats(names: readonly string[]): string[] {
	return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}

function list(names: readonly string[]): string {
	return [...new Set(names)].map(quote).join(", ");
}

/** Quoted, and so that no name can break the line. */
function quote(name: string): string {
	return JSON.stringify(name);
}
