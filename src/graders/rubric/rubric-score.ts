/** What the judge said of each criterion, as scores: of the whole, and of process and outcome apart. */
import type { RubricCriterion } from '../../cases/schemas.ts';

export interface CriterionScore {
  readonly id: string;
  /** 0 to 1. */
  readonly score: number;
  readonly reason: string;
  /** What was missed was outside of the agent's control: a CAPTCHA, an item that is sold out, a site that is down. */
  readonly outsideControl: boolean;
}

export interface RubricScore {
  readonly passed: boolean;
  /** Weighted, over all criteria. */
  readonly score: number;
  /** Weighted, over those of the kind; null where there is none. What was outside of the agent's control does not count for the process. */
  readonly process: number | null;
  readonly outcome: number | null;
  /** Required, and not met. */
  readonly missing: readonly string[];
  /** Not met, for a reason outside of the agent's control. */
  readonly outsideControl: readonly string[];
  /** Whether it would pass without those. The verdict does not use it: that something was outside of control is the judge's opinion. */
  readonly passedOtherwise: boolean;
}

/** Passes at this share of the weights, with every required criterion at this score too. */
export function rubricScore(
  criteria: readonly RubricCriterion[],
  given: ReadonlyMap<string, CriterionScore>,
  passAt: number,
): RubricScore {
  const rated = criteria.map((criterion) => {
    const { score = 0, outsideControl = false } = given.get(criterion.id) ?? {};
    const isMet = score >= passAt;
    return { ...criterion, score, isMet, isOutside: outsideControl && !isMet };
  });
  const inControl = rated.filter(({ isOutside }) => !isOutside);
  const missing = rated.filter(({ required, isMet }) => required === true && !isMet);
  const score = mean(rated) ?? 0;
  const otherwise = mean(inControl);
  return {
    passed: reaches(score, passAt) && missing.length === 0,
    score,
    process: mean(inControl.filter(({ about }) => about === 'process')),
    outcome: mean(rated.filter(({ about }) => about === 'outcome')),
    missing: missing.map(({ id }) => id),
    outsideControl: rated.filter(({ isOutside }) => isOutside).map(({ id }) => id),
    passedOtherwise: otherwise !== null && reaches(otherwise, passAt) && missing.every(({ isOutside }) => isOutside),
  };
}

function mean(rated: readonly { readonly weight: number; readonly score: number }[]): number | null {
  const total = rated.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return null;
  const sum = rated.reduce((so, { weight, score }) => so + weight * score, 0) / total;
  // Binary rounding errors of the sum would otherwise decide at the threshold.
  return Math.round(sum * 1e9) / 1e9;
}

function reaches(score: number, passAt: number): boolean {
  return score >= passAt;
}
