import ts from "typescript";

/** One place where a module names another. */
export interface ModuleReference {
	readonly specifier: string;
	readonly line: number;
	/** Gone after compilation: `import type`, `export type … from`, `import("x").T`. */
	readonly typeOnly: boolean;
}

export function parse(path: string, text: string): ts.SourceFile {
	return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

export function lineOf(source: ts.SourceFile, node: ts.Node): number {
	return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}

/** Calls `visit` on every node below `node`, parents first. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
	ts.forEachChild(node, (child) => {
		visit(child);
		walk(child, visit);
	});
}

/** Every module that a file names, in whatever form. */
export function moduleReferences(source: ts.SourceFile): ModuleReference[] {
	const found: ModuleReference[] = [];
	walk(source, (node) => {
		const reference = referenceOf(node);
		if (reference === undefined) return;
		const { specifier, typeOnly } = reference;
		// A computed specifier cannot be judged; it is reported as such.
		const text = specifier !== undefined && ts.isStringLiteralLike(specifier) ? specifier.text : "<computed>";
		found.push({ specifier: text, line: lineOf(source, node), typeOnly });
	});
	return found;
}

interface Reference {
	readonly specifier: ts.Node | undefined;
	readonly typeOnly: boolean;
}

function referenceOf(node: ts.Node): Reference | undefined {
	if (ts.isImportDeclaration(node)) {
		// `import { type T } from "x"` still loads "x" (verbatimModuleSyntax): only `import type` does not.
		return {
			specifier: node.moduleSpecifier,
			typeOnly: node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword,
		};
	}
	if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
		return { specifier: node.moduleSpecifier, typeOnly: node.isTypeOnly };
	}
	if (ts.isImportTypeNode(node)) {
		const argument = node.argument;
		return { specifier: ts.isLiteralTypeNode(argument) ? argument.literal : argument, typeOnly: true };
	}
	if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) {
		return { specifier: node.moduleReference.expression, typeOnly: node.isTypeOnly };
	}
	if (ts.isCallExpression(node) && isLoad(node.expression)) return { specifier: node.arguments[0], typeOnly: false };
	return undefined;
}

function isLoad(callee: ts.Expression): boolean {
	return callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === "require");
}
