/**
 * The part of JSON Schema that the tools' parameters use: what folds and checks them knows no other. Both TypeBox versions
 * build plain objects of this shape.
 */
export type ParameterSchema =
	| { readonly type: "string"; readonly enum?: readonly string[] }
	| { readonly type: "integer"; readonly minimum?: number; readonly maximum?: number }
	| { readonly type: "boolean" }
	| ArraySchema
	| ObjectSchema;

export interface ArraySchema {
	readonly type: "array";
	readonly items: ParameterSchema;
	readonly minItems?: number;
	readonly maxItems?: number;
}

export interface ObjectSchema {
	readonly type: "object";
	readonly properties: Readonly<Record<string, ParameterSchema>>;
	readonly required?: readonly string[];
}
