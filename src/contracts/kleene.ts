/** Kleene's three-valued logic: a combination is inconclusive unless the known values decide it. */

export type Verdict = 'pass' | 'fail' | 'inconclusive';

export const negate = (verdict: Verdict): Verdict =>
  verdict === 'pass' ? 'fail' : verdict === 'fail' ? 'pass' : 'inconclusive';

export interface Combined {
  verdict: Verdict;
  /** The first child that caused the verdict; null when all children together caused it. */
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
