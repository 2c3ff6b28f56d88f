/** What came out of a rule, as a sentence and as details of a grade. */
import type { NetworkRule } from '../../cases/index.ts';
import { short } from '../../view/index.ts';
import type { RuleResult, SeenRequest } from './rule-result.ts';

export interface JudgedRule {
  readonly rule: NetworkRule;
  readonly result: RuleResult | { readonly holds: 'not recorded'; readonly reason: string };
  /** Where there was no such request: one that is like it. */
  readonly hint?: SeenRequest | undefined;
}

/** Of one rule; the details of a grade are bounded. */
const MAX_MISMATCHES = 5;

export function titleOf({ url, method = 'GET', shouldNotExist }: NetworkRule): string {
  const addresses = typeof url === 'string' ? url : url.join(' or ');
  return `${shouldNotExist ? 'no ' : ''}${method.toUpperCase()} ${short(addresses, 500)}`;
}

/** The rest of a sentence about the rule. */
export function sentenceOf({ rule, result, hint }: JudgedRule): string {
  if (result.holds === true) return 'holds.';
  if (result.holds !== false) return `cannot be judged: ${result.reason}`;
  const { mismatches, nearest } = result;
  if (!nearest) return `does not hold: there was no such request${hint ? `; the nearest is ${lineOf(hint)}` : ''}.`;
  if (rule.shouldNotExist) return `does not hold: there was ${lineOf(nearest)}.`;
  const differences = mismatches
    .slice(0, MAX_MISMATCHES)
    .map(({ what, expected, actual }) => `${what} is ${shown(actual)}, not ${shown(expected)}`);
  return `does not hold: of ${lineOf(nearest)}, ${differences.join('; ')}.`;
}

export function detailOf({ rule, result, hint }: JudgedRule) {
  const request = 'request' in result ? result.request : undefined;
  const nearest = ('nearest' in result ? result.nearest : undefined) ?? hint;
  const mismatches = 'mismatches' in result ? result.mismatches.slice(0, MAX_MISMATCHES) : [];
  return {
    rule: titleOf(rule),
    holds: result.holds ?? 'unknown',
    ...('reason' in result ? { reason: result.reason } : {}),
    ...(request ? { request: lineOf(request) } : {}),
    ...(nearest ? { nearest: lineOf(nearest) } : {}),
    ...(mismatches.length > 0
      ? {
          mismatches: mismatches.map(({ what, expected, actual }) => ({
            what: short(what, 200),
            expected: shown(expected),
            actual: shown(actual),
          })),
        }
      : {}),
  };
}

function lineOf({ method, url, status, failed, open }: SeenRequest): string {
  return `${method} ${short(url, 500)} (${open ? 'not ended' : (status ?? failed ?? 'no response')})`;
}

function shown(value: unknown): string {
  return short(typeof value === 'string' ? value : JSON.stringify(value), 200);
}
