import type { ExtensionUIContext, ExtensionUIDialogOptions } from "@earendil-works/pi-coding-agent";
import { firstValueFrom, from } from "rxjs";
import { takeUntilAborted } from "../operators/index.ts";
import type { RunSpec } from "../streams/ports.ts";

/** The questions that extensions of children ask, for the parent's person: a gate that wants an approval, mostly. */
export interface ChildQuestions {
	/**
	 * What the extensions of this run's session have as `ctx.ui`. Its dialogs are the person's, with the agent's name in
	 * the title; all else in it does nothing, for a child has no screen. When `halt` aborts, every open question of the
	 * run is answered as a person does who closes it. `undefined`: there is nobody to ask, and extensions see that.
	 */
	uiOf(spec: RunSpec, halt: AbortSignal): ExtensionUIContext | undefined;
}

/**
 * Puts questions one after another, whichever children they come from: hosts before 1.4.0 never answer a dialog that
 * another one has covered. `ui` is the parent's while it has one, asked again at each question; it does not throw.
 */
export function createChildQuestions(ui: () => ExtensionUIContext | undefined): ChildQuestions {
	let last: Promise<unknown> = Promise.resolve();

	function ask<T>(question: Question<T>): Promise<T> {
		const { signal, refusal } = question;
		const turn = last.then(async () => {
			const current = ui();
			return current === undefined || signal.aborted ? refusal : question.show(current);
		});
		last = turn.catch(() => undefined);
		// Neither a place in line nor a dialog that cannot be dismissed keeps a run that is to end.
		return firstValueFrom(from(turn).pipe(takeUntilAborted(signal)), { defaultValue: refusal }).catch(() => refusal);
	}

	return {
		uiOf(spec, halt) {
			const current = ui();
			if (current === undefined) return undefined;
			const titled = (title: string) => `Agent ${spec.agentId} (${spec.config.subagentType}): ${title}`;
			const within = (opts: ExtensionUIDialogOptions | undefined) => ({
				...opts,
				signal: opts?.signal === undefined ? halt : AbortSignal.any([halt, opts.signal]),
			});
			return {
				...withoutScreen(current),
				select(title, options, opts) {
					const bound = within(opts);
					const show = (on: ExtensionUIContext) => on.select(titled(title), options, bound);
					return ask({ signal: bound.signal, refusal: undefined, show });
				},
				confirm(title, message, opts) {
					const bound = within(opts);
					const show = (on: ExtensionUIContext) => on.confirm(titled(title), message, bound);
					return ask({ signal: bound.signal, refusal: false, show });
				},
				input(title, placeholder, opts) {
					const bound = within(opts);
					const show = (on: ExtensionUIContext) => on.input(titled(title), placeholder, bound);
					return ask({ signal: bound.signal, refusal: undefined, show });
				},
				editor(title, prefill) {
					const show = (on: ExtensionUIContext) => on.editor(titled(title), prefill);
					return ask({ signal: halt, refusal: undefined, show });
				},
			};
		},
	};
}

interface Question<T> {
	readonly signal: AbortSignal;
	/** The answer where nobody gives one. */
	readonly refusal: T;
	readonly show: (ui: ExtensionUIContext) => Promise<T>;
}

type Screenless = Omit<ExtensionUIContext, "select" | "confirm" | "input" | "editor">;

const nothing = () => undefined;

/** The rest of an extension's UI, as hosts have it where there is no terminal. */
function withoutScreen({ theme }: ExtensionUIContext): Screenless {
	return {
		theme,
		notify: nothing,
		onTerminalInput: () => nothing,
		setStatus: nothing,
		setWorkingMessage: nothing,
		setWorkingVisible: nothing,
		setWorkingIndicator: nothing,
		setHiddenThinkingLabel: nothing,
		setWidget: nothing,
		setFooter: nothing,
		setHeader: nothing,
		setTitle: nothing,
		// The host's own answer where components cannot be shown; its type has no word for that.
		custom: <T>() => Promise.resolve(undefined as T),
		pasteToEditor: nothing,
		setEditorText: nothing,
		getEditorText: () => "",
		addAutocompleteProvider: nothing,
		setEditorComponent: nothing,
		getEditorComponent: nothing,
		getAllThemes: () => [],
		getTheme: nothing,
		setTheme: () => ({ success: false, error: "An agent has no screen." }),
		getToolsExpanded: () => false,
		setToolsExpanded: nothing,
	};
}
