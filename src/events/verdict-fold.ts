/** The verdict that counts, of all that a journal holds. */
import type { EventOf } from './events.ts';

type Judged = Pick<EventOf<'contract_eval'>, 'phase' | 'verdict' | 'evidence' | 'executorId'>;

/**
 * The newest verdict; of the final ones, which look at the page of every lane, the one that decides. The whole contract must hold on one
 * page, so that a pass decides over everything; a page that could not be judged leaves it open; else the first one, main's, counts.
 */
export class VerdictFold {
  #last: Judged | undefined;

  get last(): Judged | undefined {
    return this.#last;
  }

  add(event: Judged): void {
    const isFurther = this.#last?.phase === 'final' && event.phase === 'final';
    if (!isFurther || WEIGHT[event.verdict] > WEIGHT[this.#last?.verdict ?? 'fail']) this.#last = event;
  }
}

const WEIGHT = { pass: 2, inconclusive: 1, fail: 0 } as const;
