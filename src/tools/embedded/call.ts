/** One tool call: its time, and the way to give it up. */

import type { Tab } from './tab.ts';
import type { ToolContext } from './tool-context.ts';

/** Time for an element to become ready to be acted on, and for everything else of an ordinary call. */
export const CALL_MS = 10_000;
/** Time for an element to appear at all, unless the call says otherwise: a wrong guess should not cost the whole of it. */
const APPEAR_MS = 2_000;
/** After its time, a call gets this much more to say what it has been waiting for; then it is cut, whatever the page does. */
export const GRACE_MS = 500;

export class Call {
  readonly context: ToolContext;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** The tab that it went to, as soon as that is known. */
  tab: Tab | undefined;
  readonly #given: boolean;
  readonly #end: number;

  constructor(
    context: ToolContext,
    signal: AbortSignal,
    timeoutMs: number,
    given: boolean,
    end = performance.now() + timeoutMs,
  ) {
    this.context = context;
    this.signal = signal;
    this.timeoutMs = timeoutMs;
    this.#given = given;
    this.#end = end;
  }

  /** How long the page may still let us wait for something to become ready. */
  get waitMs(): number {
    return Math.max(0, this.#end - performance.now());
  }

  /** How long to wait for something to appear. */
  get appearMs(): number {
    return this.#given ? this.waitMs : Math.min(APPEAR_MS, this.waitMs);
  }

  /** The same call, given up when the tab is lost as well. */
  within(tab: Tab): Call {
    this.tab = tab;
    return new Call(
      this.context,
      AbortSignal.any([this.signal, tab.lost.signal]),
      this.timeoutMs,
      this.#given,
      this.#end,
    );
  }
}
