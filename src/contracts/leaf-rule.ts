/** What the rules of all leaves share: their shape, their verdicts, and how they read facts. */
import type { LeafDetails } from './evidence.ts';
import type { Facts } from './facts.ts';
import type { Verdict } from './kleene.ts';
import type { Leaf, LeafOf, Op } from './schema.ts';

export interface LeafResult<K extends Leaf['kind']> {
  verdict: Verdict;
  details: LeafDetails[K] & { reason?: string };
}

/** `steps`: how much work a pattern of this leaf may cost. */
export type Rule<K extends Leaf['kind']> = (leaf: LeafOf<K>, facts: Facts, steps: number) => LeafResult<K>;

export const decided = <D>(passed: boolean, details: D) => ({
  verdict: passed ? ('pass' as const) : ('fail' as const),
  details,
});

export const unknown = <D>(details: D, reason: string) => ({
  verdict: 'inconclusive' as const,
  details: { ...details, reason },
});

/** Why a fact is missing: the witness's own reason, if it recorded one. */
export const missing = (facts: Pick<Facts, 'unavailable'>, probe: string, otherwise: string): string =>
  lookUp(facts.unavailable, probe) ?? otherwise;

/** Reads own properties only, because a selector may be named `constructor`. */
export const lookUp = <T>(record: Record<string, T> | undefined, key: string): T | undefined =>
  record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;

export const compares = (op: Op, observed: number, target: number, tolerance = 0): boolean => {
  // Decimal fractions are not exact: 34.6 is a little more than 0.1 away from 34.5.
  const slack = tolerance === 0 ? 0 : tolerance + Number.EPSILON * Math.max(Math.abs(observed), Math.abs(target));
  if (op === 'gte') return observed >= target - slack;
  if (op === 'lte') return observed <= target + slack;
  return Math.abs(observed - target) <= slack;
};
