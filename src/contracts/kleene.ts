/** Kleene's three-valued logic: what is not known stays not known, unless the other side decides. */

export type Verdict = 'pass' | 'fail' | 'inconclusive';

export const negate = (verdict: Verdict): Verdict =>
  verdict === 'pass' ? 'fail' : verdict === 'fail' ? 'pass' : 'inconclusive';

export interface Combined {
  verdict: Verdict;
  /** The first child that made the verdict what it is; null when all of them did. */
  decidingIndex: number | null;
}

/** One fail decides; otherwise one inconclusive does. */
export const all = (verdicts: readonly Verdict[]): Combined => combine(verdicts, 'fail', 'pass');

/** One pass decides; otherwise one inconclusive does. */
export const any = (verdicts: readonly Verdict[]): Combined => combine(verdicts, 'pass', 'fail');

function combine(verdicts: readonly Verdict[], decisive: Verdict, otherwise: Verdict): Combined {
  for (const verdict of [decisive, 'inconclusive'] as const) {
    const index = verdicts.indexOf(verdict);
    if (index >= 0) return { verdict, decidingIndex: index };
  }
  return { verdict: otherwise, decidingIndex: null };
}
