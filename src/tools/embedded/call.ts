/** One tool call, with its time limits and its abort signal. */

import type { Tab } from './tab.ts';
import type { ToolContext } from './tool-context.ts';

/** The time for an element to become ready for an action, and for everything else in an ordinary call. */
export const CALL_MS = 10_000;
/** The time for an element to appear, unless the call sets another. It is shorter, so that a wrong locator does not cost the full time. */
const APPEAR_MS = 2_000;
/** The extra time after the time limit to report what the call has been waiting for. Then it is aborted, whatever the page does. */
export const GRACE_MS = 500;

export class Call {
  readonly context: ToolContext;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** The tab of the call, as soon as it is known. */
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

  /** The remaining time to wait for an element to become ready. */
  get waitMs(): number {
    return Math.max(0, this.#end - performance.now());
  }

  /** How long to wait for something to appear. */
  get appearMs(): number {
    return this.#given ? this.waitMs : Math.min(APPEAR_MS, this.waitMs);
  }

  /** The same call, which is also aborted when the tab is lost. */
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
