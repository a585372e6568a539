/** What the folding needs to know of a schema. */
interface FoldedSchema {
	readonly properties: Readonly<Record<string, { readonly type?: string }>>;
	readonly required?: readonly string[];
}

/**
 * Arguments with looser forms folded into the schema: `"true"` and `"12"` where a boolean or an integer stands, and
 * `null` or an empty string, which some models send for what they leave out, where a parameter is optional. Everything
 * else is handed on as it is, for the validation to judge.
 */
export function foldArguments(schema: object, raw: unknown): unknown {
	if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return raw;
	const { properties, required = [] } = schema as FoldedSchema;
	const folded = Object.entries(raw).flatMap(([name, value]) => {
		if (!Object.hasOwn(properties, name)) return [[name, value] as const];
		if (!required.includes(name) && (value === null || value === "")) return [];
		return [[name, foldValue(properties[name]?.type, value)] as const];
	});
	return Object.fromEntries(folded);
}

function foldValue(type: string | undefined, value: unknown): unknown {
	if (typeof value !== "string") return value;
	if (type === "boolean" && /^(true|false)$/i.test(value)) return value.toLowerCase() === "true";
	if (type === "integer" && /^\d{1,15}$/.test(value)) return Number(value);
	return value;
}
