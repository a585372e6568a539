import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/**
 * What a test file gets as `vitest` while mutants are judged: registering tests, Vitest's own matchers, and nothing else.
 * A test that needs more of Vitest fails in the first run, before any mutant. What it leaves out can only make a mutant
 * survive: an assertion that was never reached is not missed, an error that nobody caught fails no test.
 */

type Run = (...values: readonly unknown[]) => unknown;

/** A test as its file has registered it. */
export interface RegisteredTest {
	/** Unique and the same in every run: the file, the titles, and a number where titles repeat. */
	readonly id: string;
	readonly name: string;
	readonly file: string;
	/** Rejects where the test fails. What it wants done at its end has been done by then. */
	readonly run: () => Promise<void>;
}

let file = "";
let titles: readonly string[] = [];
let registered = new Map<string, RegisteredTest>();
let finishers: Run[] = [];

/** Loads a test file; resolves with what it registered. Files are loaded one after the other, each once. */
export async function testsOf(path: string, load: () => Promise<unknown>): Promise<readonly RegisteredTest[]> {
	file = path;
	titles = [];
	registered = new Map();
	await load();
	return [...registered.values()];
}

function register(title: string, body: Run): void {
	const name = [...titles, title].join(" > ");
	let id = `${file}#${name}`;
	for (let number = 2; registered.has(id); number++) id = `${file}#${name} (${number})`;
	registered.set(id, { id, name, file, run: () => runTest(body) });
}

async function runTest(body: Run): Promise<void> {
	finishers = [];
	try {
		await body();
	} finally {
		for (const finish of finishers.reverse()) await finish();
	}
}

function enter(title: string, body: Run): void {
	const outer = titles;
	titles = [...outer, title];
	body();
	titles = outer;
}

/** `it("…", body)` or `it("…", options, body)`, once or for each of some cases. */
function registrar(add: (title: string, body: Run) => void) {
	const bodyOf = (rest: readonly unknown[]): Run => rest.find((each): each is Run => typeof each === "function") as Run;
	const each =
		(cases: readonly unknown[]) =>
		(title: string, ...rest: readonly unknown[]): void => {
			const body = bodyOf(rest);
			cases.forEach((values, index) => {
				add(`${title} [${index}]`, () => (Array.isArray(values) ? body(...values) : body(values)));
			});
		};
	return Object.assign((title: string, ...rest: readonly unknown[]): void => add(title, bodyOf(rest)), { each });
}

export const it = registrar(register);
export const test: typeof it = it;
export const describe = registrar(enter);

export function onTestFinished(finish: Run): void {
	finishers.push(finish);
}

// Vitest's matchers live in packages of its own, which are nobody else's dependency.
const ofVitest = createRequire(createRequire(import.meta.url).resolve("vitest/package.json"));
const [chai, matchers] = await Promise.all(
	["chai", "@vitest/expect"].map((name) => import(pathToFileURL(ofVitest.resolve(name)).href)),
);
chai.use(matchers.JestExtend);
chai.use(matchers.JestChaiExpect);
chai.use(matchers.JestAsymmetricMatchers);

export const expect = Object.assign(
	(value: unknown, message?: string) => chai.expect(value, message),
	chai.expect,
	Reflect.get(globalThis, matchers.ASYMMETRIC_MATCHERS_OBJECT),
	{
		hasAssertions: () => {},
		unreachable: (message = "this is never reached") => {
			throw new Error(message);
		},
	},
);
Reflect.set(globalThis, matchers.GLOBAL_EXPECT, expect);
matchers.setState(
	{ assertionCalls: 0, isExpectingAssertions: false, environment: "node", currentTestName: "" },
	expect,
);
