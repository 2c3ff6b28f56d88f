/** One rule against the requests of an attempt: which of them it is about, and whether one of those fits it. */
import type { NetworkRule } from '../../cases/index.ts';
import { CannotTell } from './cannot-tell.ts';
import { type AddressReader, fitting, wantedAddress } from './compare-address.ts';
import { type ComparedRule, type Comparison, compareRequest, REFERER } from './compare-request.ts';
import { type FieldReader, fieldReader } from './read-fields.ts';
import type { RuleResult, SeenRequest } from './rule-result.ts';

export interface RuleMatcher {
  readonly rule: NetworkRule;
  /** The requests in the order in which they were sent. */
  match(requests: readonly SeenRequest[], context: MatchContext): RuleResult;
}

export interface MatchContext {
  /** What relative addresses are relative to. */
  readonly startUrl: string;
  readonly read: AddressReader;
}

/** @throws where a key of the rule can't be used. */
export function ruleMatcher(rule: NetworkRule): RuleMatcher {
  const fields = new Map<string, FieldReader>();
  for (const key of [rule.body, rule.response].flatMap((part) => Object.keys(part ?? {})))
    fields.set(key, fieldReader(key));
  return {
    rule,
    match(requests, context) {
      try {
        return matchRule(requests, comparedRule(rule, fields, context));
      } catch (thrown) {
        if (thrown instanceof CannotTell) return { holds: undefined, reason: thrown.message };
        throw thrown;
      }
    },
  };
}

function comparedRule(
  rule: NetworkRule,
  fields: ReadonlyMap<string, FieldReader>,
  context: MatchContext,
): ComparedRule {
  const referer = Object.entries(rule.headers ?? {}).find(([name]) => name.toLowerCase() === REFERER)?.[1];
  return {
    rule,
    fields,
    address: wantedAddress(rule.url, rule, context, rule.query),
    referer: referer === undefined ? undefined : wantedAddress(referer, rule, context),
  };
}

function matchRule(requests: readonly SeenRequest[], compared: ComparedRule): RuleResult {
  const { lastEventOnly = true, shouldNotExist } = compared.rule;
  const about = requestsOf(requests, compared);
  if (shouldNotExist) {
    const [first] = about;
    return first ? { holds: false, mismatches: [], nearest: first } : { holds: true };
  }
  // Newest first, so that of several which differ as much the last one is named.
  const comparisons = (lastEventOnly ? about.slice(-1) : about.toReversed()).map((request) => ({
    request,
    ...compareRequest(request, compared),
  }));
  const fit = comparisons.find(({ mismatches, unknown }) => mismatches.length === 0 && unknown === undefined);
  if (fit) return { holds: true, request: fit.request };
  const unclear = comparisons.find(({ mismatches }) => mismatches.length === 0);
  if (unclear) return { holds: undefined, reason: unclear.unknown ?? '', nearest: unclear.request };
  const byDistance = (one: Comparison, other: Comparison): number => one.mismatches.length - other.mismatches.length;
  const [nearest] = comparisons.toSorted(byDistance);
  return nearest
    ? { holds: false, mismatches: nearest.mismatches, nearest: nearest.request }
    : { holds: false, mismatches: [] };
}

/** The requests that the rule is about, whether they fit it or not: by address and method, and by the page that they came from. */
function requestsOf(requests: readonly SeenRequest[], { rule, address, referer }: ComparedRule): SeenRequest[] {
  if (rule.lastNavigation)
    return requests.filter(({ method, navigation }) => navigation === true && method === 'GET').slice(-1);
  const method = (rule.method ?? 'GET').toUpperCase();
  return requests.filter((request) => {
    if (request.method.toUpperCase() !== method) return false;
    if (fitting(address, request.url, rule).length === 0) return false;
    const from = request.headers?.[REFERER];
    return !referer || from === undefined || fitting(referer, from, rule).length > 0;
  });
}
