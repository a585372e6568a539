import { oneLine } from "../streams/plain-text.ts";

/** The part of JSON Schema that the tools' parameters use. Both TypeBox versions build plain objects of this shape. */
interface ParameterSchema {
	readonly properties: Readonly<Record<string, PropertySchema>>;
	readonly required?: readonly string[];
}

interface PropertySchema {
	readonly type: "string" | "integer" | "boolean";
	readonly enum?: readonly string[];
	readonly minimum?: number;
}

/** Something that is wrong with a call. `parameter` is absent when it is not about one of the schema's. */
export interface ParamProblem {
	readonly parameter?: string;
	readonly text: string;
}

/**
 * Everything that is wrong with a call's parameters; empty when nothing is. The host has validated them, and hooks may
 * have changed them since without a second validation. Beyond the schema, a string that is there must not be blank.
 */
export function checkParams(schema: object, params: unknown): readonly ParamProblem[] {
	const { properties, required = [] } = schema as ParameterSchema;
	if (typeof params !== "object" || params === null || Array.isArray(params)) {
		return [{ text: "the parameters must be an object" }];
	}
	const given = new Map<string, unknown>(Object.entries(params).filter(([, value]) => value !== undefined));
	const about = Object.entries(properties).flatMap(([parameter, property]) => {
		const text = given.has(parameter)
			? checkValue(parameter, property, given.get(parameter))
			: required.includes(parameter)
				? `${parameter} is required`
				: undefined;
		return text === undefined ? [] : [{ parameter, text }];
	});
	const known = Object.keys(properties).join(", ");
	const unknown = [...given.keys()]
		.filter((name) => !Object.hasOwn(properties, name))
		.map((name) => ({ text: `there is no parameter "${oneLine(name, 60)}"; there are: ${known}` }));
	return [...about, ...unknown];
}

function checkValue(name: string, schema: PropertySchema, value: unknown): string | undefined {
	switch (schema.type) {
		case "boolean":
			return typeof value === "boolean" ? undefined : `${name} must be true or false, not ${shown(value)}`;
		case "integer":
			return checkInteger(name, schema.minimum ?? Number.MIN_SAFE_INTEGER, value);
		case "string":
			return checkString(name, schema.enum, value);
	}
}

function checkInteger(name: string, minimum: number, value: unknown): string | undefined {
	if (Number.isSafeInteger(value) && Number(value) >= minimum) return undefined;
	return `${name} must be a whole number from ${minimum}, not ${shown(value)}`;
}

function checkString(name: string, choices: readonly string[] | undefined, value: unknown): string | undefined {
	if (choices !== undefined) {
		const fits = typeof value === "string" && choices.includes(value);
		return fits ? undefined : `${name} must be one of ${choices.join(", ")}, not ${shown(value)}`;
	}
	if (typeof value !== "string") return `${name} must be a string, not ${shown(value)}`;
	return value.trim() === "" ? `${name} must not be blank` : undefined;
}

function shown(value: unknown): string {
	if (typeof value === "string") return `"${oneLine(value, 60)}"`;
	if (typeof value === "object" && value !== null) return Array.isArray(value) ? "an array" : "an object";
	return String(value);
}
