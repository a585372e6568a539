import type { ArraySchema, ObjectSchema, ParameterSchema } from "./parameter-schema.ts";

/**
 * Arguments with looser forms folded into the schema, at any depth of it: `"true"` and `"12"` where a boolean or an
 * integer stands, a JSON string where an array does, and `null` or an empty string, which some models send for what they
 * leave out, where a parameter is optional. Everything else is handed on as it is, for the validation to judge.
 */
export function foldArguments(schema: object, raw: unknown): unknown {
	return foldObject(schema as ObjectSchema, raw);
}

function foldValue(schema: ParameterSchema | undefined, value: unknown): unknown {
	switch (schema?.type) {
		case "boolean":
			return typeof value === "string" && /^(true|false)$/i.test(value) ? value.toLowerCase() === "true" : value;
		case "integer":
			return foldInteger(value);
		case "array":
			return foldArray(schema, value);
		case "object":
			return foldObject(schema, value);
		default:
			return value;
	}
}

/** A fraction is made something that the validation refuses: hosts would cut it down to a whole number, unasked. */
function foldInteger(value: unknown): unknown {
	if (typeof value === "string" && /^\d{1,15}$/.test(value)) return Number(value);
	const isFraction =
		(typeof value === "number" || (typeof value === "string" && value.trim() !== "")) && !isWhole(value);
	return isFraction ? `${value} (not a whole number)` : value;
}

function isWhole(value: number | string): boolean {
	return !Number.isFinite(Number(value)) || Number.isInteger(Number(value));
}

function foldObject({ properties, required = [] }: ObjectSchema, value: unknown): unknown {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
	const folded = Object.entries(value).flatMap(([name, given]) => {
		if (!Object.hasOwn(properties, name)) return [[name, given] as const];
		if (!required.includes(name) && (given === null || given === "")) return [];
		return [[name, foldValue(properties[name], given)] as const];
	});
	return Object.fromEntries(folded);
}

function foldArray({ items }: ArraySchema, value: unknown): unknown {
	const list = typeof value === "string" ? parsedArray(value) : value;
	return Array.isArray(list) ? Array.from(list, (item) => foldValue(items, item)) : value;
}

function parsedArray(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		return Array.isArray(value) ? value : text;
	} catch {
		return text;
	}
}
