import { oneLine } from "../streams/plain-text.ts";
import type { ArraySchema, ObjectSchema, ParameterSchema } from "./parameter-schema.ts";

/** Something that is wrong with a call. `parameter` is absent when it is not about one of the schema's. */
export interface ParamProblem {
	/** Where it stands: `model`, `members[2].after[0]`. */
	readonly parameter?: string;
	readonly text: string;
}

/**
 * Everything that is wrong with a call's parameters; empty when nothing is. The host has validated them, and hooks may
 * have changed them since without a second validation. Beyond the schema, a string that is there must not be blank.
 */
export function checkParams(schema: object, params: unknown): readonly ParamProblem[] {
	if (!isObject(params)) return [{ text: "the parameters must be an object" }];
	return checkObject("", schema as ObjectSchema, params);
}

function checkValue(at: string, schema: ParameterSchema, value: unknown): readonly ParamProblem[] {
	switch (schema.type) {
		case "boolean":
			return typeof value === "boolean" ? [] : [mustBe(at, "true or false", value)];
		case "integer":
			return checkInteger(at, schema, value);
		case "string":
			return checkString(at, schema.enum, value);
		case "array":
			return checkArray(at, schema, value);
		case "object":
			return isObject(value) ? checkObject(`${at}.`, schema, value) : [mustBe(at, "an object", value)];
	}
}

/** `prefix` is what its parameters' names are put behind. */
function checkObject(prefix: string, { properties, required = [] }: ObjectSchema, value: object): ParamProblem[] {
	const given = new Map<string, unknown>(Object.entries(value).filter(([, one]) => one !== undefined));
	const about = Object.entries(properties).flatMap(([name, property]) => {
		const at = prefix + name;
		if (given.has(name)) return checkValue(at, property, given.get(name));
		return required.includes(name) ? [{ parameter: at, text: `${at} is required` }] : [];
	});
	const known = Object.keys(properties).join(", ");
	const unknown = [...given.keys()]
		.filter((name) => !Object.hasOwn(properties, name))
		.map((name) => ({ text: `there is no parameter "${prefix}${oneLine(name, 60)}"; there are: ${known}` }));
	return [...about, ...unknown];
}

function checkArray(at: string, schema: ArraySchema, value: unknown): readonly ParamProblem[] {
	if (!Array.isArray(value)) return [mustBe(at, "an array", value)];
	const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
	if (value.length < minItems || value.length > maxItems) {
		return [{ parameter: at, text: `${at} must have ${minItems} to ${maxItems} items, not ${value.length}` }];
	}
	return Array.from(value).flatMap((item, index) => checkValue(`${at}[${index}]`, schema.items, item));
}

function checkInteger(
	at: string,
	range: { readonly minimum?: number; readonly maximum?: number },
	value: unknown,
): readonly ParamProblem[] {
	const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = range;
	if (Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum) return [];
	const to = range.maximum === undefined ? "" : ` to ${maximum}`;
	return [mustBe(at, `a whole number from ${minimum}${to}`, value)];
}

function checkString(at: string, choices: readonly string[] | undefined, value: unknown): readonly ParamProblem[] {
	if (choices !== undefined) {
		const fits = typeof value === "string" && choices.includes(value);
		return fits ? [] : [mustBe(at, `one of ${choices.join(", ")}`, value)];
	}
	if (typeof value !== "string") return [mustBe(at, "a string", value)];
	return value.trim() === "" ? [{ parameter: at, text: `${at} must not be blank` }] : [];
}

function mustBe(at: string, what: string, value: unknown): ParamProblem {
	return { parameter: at, text: `${at} must be ${what}, not ${shown(value)}` };
}

function isObject(value: unknown): value is object {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
	if (typeof value === "string") return `"${oneLine(value, 60)}"`;
	if (typeof value === "function") return "a function";
	if (typeof value === "object" && value !== null) return Array.isArray(value) ? "an array" : "an object";
	return String(value);
}
