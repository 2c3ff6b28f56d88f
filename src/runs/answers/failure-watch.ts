/** When it is of no use to go on asking: what would be said of the next item is what was said of the last ones. */
import type { Completion } from '../../models/index.ts';

/** The same refusal so often in a row, without an answer between. */
export const SAME_REFUSALS = 3;
/** Items in a row that an endpoint did not serve, each after all its retries. */
export const OUTAGE = 20;

/** Nothing about an item can change these. */
const AT_ONCE: ReadonlySet<string> = new Set(['key_missing', 'key_withheld', 'address_refused']);
const NOT_SERVED: ReadonlySet<string> = new Set(['network', 'timeout', 'server_error', 'rate_limited']);
/** About the key, the account or the model, whatever words come with it. */
const GENERAL: ReadonlySet<number> = new Set([401, 402, 404]);

export class FailureWatch {
  #refusal: string | undefined;
  #refusals = 0;
  #notServed = 0;

  /** @returns the reason to give up, if there is one. */
  see({ error, http_status }: Pick<Completion, 'error' | 'http_status'>): string | undefined {
    if (error && AT_ONCE.has(error.code)) return error.message;
    if (error && NOT_SERVED.has(error.code)) {
      this.#notServed += 1;
      return this.#notServed < OUTAGE
        ? undefined
        : `${OUTAGE} items in a row were not served. The last: ${error.message}`;
    }
    this.#notServed = 0;
    if (error?.code !== 'refused') {
      this.#refusals = 0;
      return undefined;
    }
    const refusal = http_status !== null && GENERAL.has(http_status) ? String(http_status) : error.message;
    this.#refusals = refusal === this.#refusal ? this.#refusals + 1 : 1;
    this.#refusal = refusal;
    return this.#refusals < SAME_REFUSALS ? undefined : error.message;
  }
}
