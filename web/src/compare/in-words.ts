/** A comparison in sentences: what differs, and is it beyond noise. */
import type { Comparison } from '../api/queries.ts';
import { count, points } from '../ui/format.ts';

export interface Words {
  headline: string;
  sentences: string[];
}

export function inWords({ statistics, counts }: Pick<Comparison, 'statistics' | 'counts'>): Words {
  const { verdict, pairs, difference, mcnemar, minimumDetectableEffect: smallest, morePairsNeeded: more } = statistics;
  if (pairs === 0) {
    return {
      headline: 'Nothing can be compared yet',
      sentences: ['No item was scored in both runs. Score both of them first.'],
    };
  }
  const estimate = difference.estimate ?? 0;
  const { interval } = difference;
  const what =
    estimate === 0
      ? `Both pass as many of the ${count(pairs, 'item')} that were scored in both.`
      : `Of the ${count(pairs, 'item')} that were scored in both, B passes ${points(estimate)} ${estimate > 0 ? 'more' : 'fewer'} than A (${counts.only_b} only by B, ${counts.only_a} only by A).`;
  const sentences = [what.replace(/[+−](?=\d)/, '')];
  if (interval)
    sentences.push(
      `With 95 % confidence, the difference lies between ${points(interval.low)} and ${points(interval.high)}${verdict === 'not_enough_evidence' ? ', so there may be none' : ''}.`,
    );
  sentences.push(
    `McNemar's exact test gives p ${p(mcnemar.pValue)} on the ${count(mcnemar.informative, 'item')} in which they differ.`,
  );
  if (verdict === 'not_enough_evidence') {
    if (smallest !== null)
      sentences.push(
        `With so many items, a difference of ${(smallest * 100).toFixed(0)} points or more would usually be seen.`,
      );
    if (more !== null && more > 0)
      sentences.push(
        `To settle a difference of this size, some ${count(Math.ceil(more), 'further item')} would be needed.`,
      );
  }
  return { headline: HEADLINES[verdict], sentences };
}

const HEADLINES: Record<Comparison['statistics']['verdict'], string> = {
  better: 'B is better than A, beyond noise',
  worse: 'B is worse than A, beyond noise',
  not_enough_evidence: 'Not enough evidence to tell them apart',
};

function p(value: number): string {
  return value < 0.001 ? '< 0.001' : `= ${value.toFixed(3)}`;
}
