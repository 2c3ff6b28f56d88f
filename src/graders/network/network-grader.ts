/** Requests that must have been made, or must not, as the witness saw them. It reads the journal alone. */
import { type NetworkRule, type NetworkSpec, readAddress } from '../../cases/index.ts';
import type { Assessment, Grader } from '../grader.ts';
import { JournalRequests, type RequestList } from './journal-requests.ts';
import { type RuleMatcher, ruleMatcher } from './match-rule.ts';
import type { RuleResult, SeenRequest } from './rule-result.ts';

type Outcome = RuleResult | { readonly holds: 'not recorded'; readonly reason: string };

/** @throws where a rule can't be used. */
export function networkGrader({ name = 'network', expect }: NetworkSpec): Grader {
  const matchers = expect.map(ruleMatcher);
  return {
    name,
    version: '1',
    grade({ subject, events }) {
      if (subject.kind === 'question') return { verdict: 'skipped', reasoning: 'A question makes no requests.' };
      const { startUrl } = subject.task;
      const journal = new JournalRequests(events);
      const outcomes = matchers.map((matcher) => outcomeOf(matcher, journal.for(matcher.rule), startUrl));
      const hints = matchers.map(({ rule }) => likeRule(rule, journal.all, startUrl));
      return assessed(matchers, outcomes, hints);
    },
  };
}

function outcomeOf(matcher: RuleMatcher, list: RequestList | string, startUrl: string): Outcome {
  if (typeof list === 'string') return { holds: 'not recorded', reason: list };
  const result = matcher.match(list.requests, startUrl);
  // One request that fits is enough, whatever else there was; every other result may be changed by a request that is not here.
  const isSettled = result.holds === true && matcher.rule.lastEventOnly === false;
  return list.incomplete === undefined || isSettled ? result : { holds: undefined, reason: list.incomplete };
}

function assessed(
  matchers: readonly RuleMatcher[],
  outcomes: readonly Outcome[],
  hints: readonly (SeenRequest | undefined)[],
): Assessment {
  const details = { rules: outcomes.map((outcome, index) => detailOf(matchers[index], outcome, hints[index])) };
  const say = (holds: Outcome['holds']): string | undefined => {
    const index = outcomes.findIndex((outcome) => outcome.holds === holds);
    const [matcher, outcome] = [matchers[index], outcomes[index]];
    if (!matcher || !outcome) return undefined;
    const place = outcomes.length === 1 ? 'The rule' : `Rule ${index + 1} of ${outcomes.length}`;
    return `${place} (${titleOf(matcher.rule)}) ${sentenceOf(matcher.rule, outcome, hints[index])}`;
  };
  // A rule that was broken decides, whatever the others are.
  const failed = say(false);
  if (failed !== undefined) return { verdict: 'fail', reasoning: failed, details };
  const unclear = say(undefined);
  if (unclear !== undefined) return { verdict: 'error', reasoning: unclear, details };
  const missing = say('not recorded');
  if (missing !== undefined) return { verdict: 'skipped', reasoning: missing, details };
  const reasoning = outcomes.length === 1 ? 'The rule holds.' : `All ${outcomes.length} rules hold.`;
  return { verdict: 'pass', reasoning, details };
}

function titleOf({ url, method = 'GET', shouldNotExist }: NetworkRule): string {
  return `${shouldNotExist ? 'no ' : ''}${method.toUpperCase()} ${typeof url === 'string' ? url : url.join(' or ')}`;
}

function sentenceOf(rule: NetworkRule, outcome: Outcome, hint: SeenRequest | undefined): string {
  if (outcome.holds === true) return 'holds.';
  if (outcome.holds !== false) return `cannot be judged: ${outcome.reason}`;
  const { mismatches, nearest } = outcome;
  if (!nearest) return `does not hold: there was no such request${hint ? `; the nearest is ${lineOf(hint)}` : ''}.`;
  if (rule.shouldNotExist) return `does not hold: there was ${lineOf(nearest)}.`;
  const differences = mismatches.map(
    ({ what, expected, actual }) => `${what} is ${short(actual)}, not ${short(expected)}`,
  );
  return `does not hold: of ${lineOf(nearest)}, ${differences.join('; ')}.`;
}

function detailOf(matcher: RuleMatcher | undefined, outcome: Outcome, hint: SeenRequest | undefined) {
  const request = outcome.holds === true ? outcome.request : undefined;
  const nearest = outcome.holds === true || outcome.holds === 'not recorded' ? undefined : (outcome.nearest ?? hint);
  return {
    rule: matcher ? titleOf(matcher.rule) : '',
    holds: outcome.holds ?? 'unknown',
    ...('reason' in outcome ? { reason: outcome.reason } : {}),
    ...(request ? { request: lineOf(request) } : {}),
    ...(nearest ? { nearest: lineOf(nearest) } : {}),
    ...(outcome.holds === false && outcome.mismatches.length > 0
      ? {
          mismatches: outcome.mismatches.map(({ what, expected, actual }) => ({
            what,
            expected: short(expected),
            actual: short(actual),
          })),
        }
      : {}),
  };
}

/** Where no request has the address of a rule: the one of the same host whose address begins most like it. */
function likeRule(rule: NetworkRule, requests: readonly SeenRequest[], startUrl: string): SeenRequest | undefined {
  const first = typeof rule.url === 'string' ? rule.url : (rule.url[0] ?? '');
  const wanted = readAddress(URL.parse(first, startUrl)?.href ?? '');
  if (!wanted) return undefined;
  const origin = wanted.place.indexOf('/', wanted.place.indexOf('//') + 2);
  let best: { request: SeenRequest; length: number } | undefined;
  for (const request of requests) {
    const key = readAddress(request.url)?.key ?? '';
    let length = 0;
    while (length < key.length && key[length] === wanted.key[length]) length++;
    if (length >= (origin < 0 ? wanted.key.length : origin) && length >= (best?.length ?? 0))
      best = { request, length };
  }
  return best?.request;
}

function lineOf({ method, url, status, failed, open }: SeenRequest): string {
  return `${method} ${short(url, 500)} (${open ? 'not ended' : (status ?? failed ?? 'no response')})`;
}

function short(value: unknown, limit = 200): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}
