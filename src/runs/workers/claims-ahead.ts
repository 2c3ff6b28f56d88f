/**
 * The claims of a worker, one after the other. Where attempts are short, the next one is claimed while one runs: the claim costs no time
 * then, and it does not wait for long. A long attempt hides no claim worth hiding, and another worker may be idle: nothing is claimed ahead.
 */
import type { Claim } from '../run-store.ts';

export interface ClaimsAheadOptions {
  /** Claimed already. */
  readonly first: Claim;
  /** Undefined where nothing is left. */
  readonly claim: () => Promise<Claim | undefined>;
  readonly giveBack: (claim: Claim) => Promise<void>;
  /** Nothing new is to begin. */
  readonly isOver: () => boolean;
  /** A seat will be free within a moment. */
  readonly isSoon: () => boolean;
}

/** What was claimed and not taken goes back when it ends. */
export async function* claimsAhead(options: ClaimsAheadOptions): AsyncGenerator<Claim, void, undefined> {
  const { first, claim, giveBack, isOver, isSoon } = options;
  let ahead: Promise<Claim | undefined> | undefined = Promise.resolve(first);
  try {
    while (!isOver()) {
      const next = await (ahead ?? claim());
      ahead = undefined;
      if (!next) return;
      if (isOver()) {
        ahead = Promise.resolve(next);
        return;
      }
      if (isSoon()) {
        ahead = claim();
        // Thrown where the next claim is asked for, which may not happen.
        ahead.catch(() => {});
      }
      yield next;
    }
  } finally {
    const left = await ahead?.catch(() => undefined);
    if (left) await giveBack(left);
  }
}
