import { describe } from "vitest";
import { itHoldsInEveryOrdering } from "./all-orderings.ts";

describe("a result, in all orderings", () => {
	itHoldsInEveryOrdering({ index: 1, of: 2 });
});
