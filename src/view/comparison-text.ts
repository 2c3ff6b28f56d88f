/** A comparison of two runs in words. One wording for the command line, Markdown and HTML. */
import type { ComparedGroup, Comparison, Rate, SampleComparison } from '../metrics/index.ts';
import { percentText } from './agreement-text.ts';

const VERDICT_WORDS: Readonly<Record<Comparison['verdict'], string>> = {
  better: 'better',
  worse: 'worse',
  not_enough_evidence: 'not enough evidence',
};

/** @example pointsText(0.125) // => '+12.5 points' */
export function pointsText(share: number | null): string {
  return share === null ? 'unknown' : `${signedPoints(share)} points`;
}

export function rateText({ passed, of, rate }: Rate): string {
  return rate === null ? 'nothing counted' : `${passed} of ${of} (${percentText(rate)})`;
}

/** `−3.1 to +12.0 points`. */
export function intervalText({ difference, mcnemar }: Comparison): string {
  if (difference.interval === null || mcnemar.informative === 0) return '–';
  return `${signedPoints(difference.interval.low)} to ${signedPoints(difference.interval.high)}`;
}

/** What was found, in one sentence. */
export function verdictSentence({ a, b, overall, confidence }: SampleComparison): string {
  const { verdict, difference, pairs, mcnemar } = overall;
  if (pairs === 0) return `Nothing can be compared: no case and trial was decided in both ${a.name} and ${b.name}.`;
  if (mcnemar.informative === 0)
    return `Not enough evidence that ${b.name} differs from ${a.name}: none of the ${pairs} pairs differs.`;
  const found = `${pointsText(difference.estimate)} over ${pairs} pairs, ${percentOf(confidence.suite)} interval ${intervalText(overall)}`;
  return verdict === 'not_enough_evidence'
    ? `Not enough evidence that ${b.name} differs from ${a.name}: ${found}.`
    : `${b.name} is ${verdict} than ${a.name}: ${found}.`;
}

/** What the verdict rests on, and what would settle it: one sentence each. */
export function evidenceSentences(comparison: SampleComparison): string[] {
  const { a, b, overall, noiseFloor, undetected, moreTrials, unpaired, counting } = comparison;
  const { mcnemar, signTest, minimumDetectableEffect: least, pairs } = overall;
  if (pairs === 0) return unpairedSentences(comparison);
  const tests =
    mcnemar.informative === 0
      ? []
      : [
          `McNemar’s exact test: p = ${pText(mcnemar.pValue)} (${mcnemar.informative} of ${pairs} pairs differ); sign test over cases: p = ${pText(signTest.pValue)} (${signTest.informative} differ).`,
        ];
  const noise =
    noiseFloor === null
      ? 'The A/A noise is unknown: no case has two trials.'
      : `A/A noise, from the trials within each run: ${(noiseFloor * 100).toFixed(1)} points.`;
  const within = mcnemar.informative === 0 ? [] : overall.reasons.filter((reason) => reason.includes('noise'));
  const effect =
    undetected !== null
      ? `A difference in up to ${percentText(undetected)} of the cases would not have been noticed with these.`
      : least === null
        ? 'So few pairs could detect no difference.'
        : `The smallest difference that so many pairs detect in four of five cases: ${(least * 100).toFixed(1)} points.`;
  const more =
    moreTrials === null
      ? []
      : [
          `About ${moreTrials} more ${moreTrials === 1 ? 'trial' : 'trials'} of each case would settle a difference of this size.`,
        ];
  return [...tests, noise, ...within, effect, ...more, ...unpairedSentences({ a, b, unpaired, counting })];
}

function unpairedSentences({
  a,
  b,
  unpaired: { onlyA, onlyB, notDecided },
  counting,
}: Pick<SampleComparison, 'a' | 'b' | 'unpaired' | 'counting'>): string[] {
  return [
    ...(notDecided > 0
      ? [
          `${notDecided} ${notDecided === 1 ? 'pair is' : 'pairs are'} left out, because a fault that was not the agent’s ended one side, or because it has not finished; --strict counts them as not passed.`,
        ]
      : []),
    ...(counting === 'strict' ? ['Faults count as not passed (--strict).'] : []),
    ...(onlyA > 0 ? [`${onlyA} planned only in ${a.name}.`] : []),
    ...(onlyB > 0 ? [`${onlyB} planned only in ${b.name}.`] : []),
  ];
}

/** `headline`, or `diagnostic` with what speaks against a headline. */
export function claimSentence({ claim }: Pick<SampleComparison, 'claim'>): string {
  if (claim.eligible) return 'This may be a headline: enough samples, pinned versions, the same contracts.';
  const shown = claim.reasons.slice(0, REASONS);
  const more = claim.reasons.length - shown.length;
  return `This is diagnostic, and no headline: ${shown.join(' ')}${more > 0 ? ` And ${more} more reasons.` : ''}`;
}
const REASONS = 6;

export function regressionSentence({ regressions, b }: SampleComparison): string | undefined {
  if (regressions.length === 0) return undefined;
  const names = regressions.map(({ scope, name }) =>
    scope === 'suite' ? 'over all cases' : `in the ${scope} ${name}`,
  );
  return `Regression: ${b.name} is worse ${names.join(', ')}.`;
}

/** Of one row of a table: the verdict, or how many more trials would settle it. */
export function rowVerdict({ comparison, moreTrials }: ComparedGroup): string {
  const { verdict, mcnemar } = comparison;
  if (verdict !== 'not_enough_evidence') return verdict;
  if (mcnemar.informative === 0) return 'no pair differs';
  return `${VERDICT_WORDS[verdict]}${moreTrials === null ? '' : `; about ${moreTrials} more trials`}`;
}

export function percentOf(confidence: number): string {
  return `${Number((confidence * 100).toFixed(2))} %`;
}

function pText(p: number): string {
  return p < 0.0001 ? 'below 0.0001' : p.toFixed(4);
}

function signedPoints(share: number): string {
  const text = Math.abs(share * 100).toFixed(1);
  return Number(text) === 0 ? '0.0' : `${share < 0 ? '−' : '+'}${text}`;
}
