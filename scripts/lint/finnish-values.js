import rxjsX from "eslint-plugin-rxjs-x";

const finnish = rxjsX.rules.finnish;

/**
 * `rxjs-x/finnish` for values alone. The rule also wants a `$` on a variable or parameter that holds a *function* which
 * returns a stream (`project`, `start`); such a name says what calling it does, and the result gets the `$`.
 */
export const finnishValues = {
	...finnish,
	create(context) {
		const services = context.sourceCode.parserServices;
		const report = (descriptor) => {
			const index = context.sourceCode.getIndexFromLoc(descriptor.loc.start);
			const node = context.sourceCode.getNodeByRangeIndex(index);
			if (node && services.getTypeAtLocation(node).getCallSignatures().length > 0) return;
			context.report(descriptor);
		};
		return finnish.create(Object.create(context, { report: { value: report } }));
	},
};
