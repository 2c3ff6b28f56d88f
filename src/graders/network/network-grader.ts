/** Requests that must have been made, or must not, as the witness saw them. It reads the journal alone. */
import type { NetworkSpec } from '../../cases/index.ts';
import type { Assessment, Grader } from '../grader.ts';
import { addressReader } from './compare-address.ts';
import { JournalRequests } from './journal-requests.ts';
import { type MatchContext, type RuleMatcher, ruleMatcher } from './match-rule.ts';
import { nearestRequest } from './nearest-request.ts';
import { detailOf, type JudgedRule, sentenceOf, titleOf } from './rule-report.ts';

/** @throws where a rule can't be used. */
export function networkGrader({ name = 'network', expect }: NetworkSpec): Grader {
  const matchers = expect.map(ruleMatcher);
  return {
    name,
    version: '1',
    grade({ subject, events }) {
      if (subject.kind === 'question') return { verdict: 'skipped', reasoning: 'A question makes no requests.' };
      const journal = new JournalRequests(events);
      const context = { startUrl: subject.task.startUrl, read: addressReader() };
      return assessed(matchers.map((matcher) => judged(matcher, journal, context)));
    },
  };
}

function judged({ rule, match }: RuleMatcher, journal: JournalRequests, context: MatchContext): JudgedRule {
  const list = journal.for(rule);
  if (typeof list === 'string') return { rule, result: { holds: 'not recorded', reason: list } };
  const result = match(list.requests, context);
  // One request that fits is enough, whatever else there was; every other result may be changed by a request that is not here.
  const isSettled = result.holds === true && rule.lastEventOnly === false;
  if (list.incomplete !== undefined && !isSettled)
    return { rule, result: { holds: undefined, reason: list.incomplete } };
  const isMissing = result.holds === false && result.nearest === undefined;
  return { rule, result, ...(isMissing ? { hint: nearestRequest(rule, journal.all, context.startUrl) } : {}) };
}

function assessed(rules: readonly JudgedRule[]): Assessment {
  const details = { rules: rules.map(detailOf) };
  const first = (holds: JudgedRule['result']['holds']): string | undefined => {
    const index = rules.findIndex(({ result }) => result.holds === holds);
    const found = rules[index];
    if (!found) return undefined;
    const place = rules.length === 1 ? 'The rule' : `Rule ${index + 1} of ${rules.length}`;
    return `${place} (${titleOf(found.rule)}) ${sentenceOf(found)}`;
  };
  // A rule that was broken decides, whatever the others are.
  const broken = first(false);
  if (broken !== undefined) return { verdict: 'fail', reasoning: broken, details };
  const unclear = first(undefined);
  if (unclear !== undefined) return { verdict: 'error', reasoning: unclear, details };
  const missing = first('not recorded');
  if (missing !== undefined) return { verdict: 'skipped', reasoning: missing, details };
  const reasoning = rules.length === 1 ? 'The rule holds.' : `All ${rules.length} rules hold.`;
  return { verdict: 'pass', reasoning, details };
}
