/** How the agent went about it: which tools, in which order, how often, on which hosts, and how directly. */
import { nameOfSpec, type TrajectorySpec } from '../../cases/schemas.ts';
import { type JournalEvent, metricEvents } from '../../events/index.ts';
import { episodeMetrics, isAgentOutcome, type OutcomeClass } from '../../metrics/index.ts';
import type { Assessment, AttemptReader, Grader } from '../grader.ts';
import { hostsSeen } from './hosts-seen.ts';
import { type RuleResult, ruleResults } from './rules.ts';
import { describeStep, stepsOf } from './steps-of.ts';

/** Steps that the details list; the last ones beyond are counted. */
const LISTED_STEPS = 300;
/** Reasons that the sentence for people repeats; all of them are in the details. */
const SAID_RULES = 5;

export function trajectoryGrader(spec: TrajectorySpec): Grader {
  return { name: nameOfSpec(spec), version: '1', grade: (attempt) => grade(spec, attempt) };
}

function grade(spec: TrajectorySpec, { subject, events, oracleSteps }: AttemptReader): Assessment {
  if (subject.kind === 'question') return { verdict: 'skipped', reasoning: 'A question has no steps.' };
  const [start] = events;
  const isImported = start?.type === 'start' && start.kind !== 'question' && start.imported !== undefined;
  const { outcome, wandering } = episodeMetrics(metricEvents(events), { oracleSteps });
  const all = stepsOf(events);
  const steps = all.filter(({ isRecovered }) => !isRecovered);
  const trajectory = { steps, hosts: hostsSeen(events), efficiency: wandering.pathEfficiency, isImported };
  const cutOff = cutOffBy(events, isImported, outcome?.class);
  const rules = ruleResults(spec, trajectory).map((rule) => (cutOff === undefined ? rule : unsettled(rule, cutOff)));
  const listed = all.slice(0, LISTED_STEPS).map(describeStep);
  const details = {
    rules,
    steps: listed,
    ...(all.length > listed.length ? { stepsNotListed: all.length - listed.length } : {}),
  };
  return { ...verdictOf(rules), details };
}

/** The worst result counts: a failure, then what could not be told, then what does not apply. */
function verdictOf(rules: readonly RuleResult[]): Pick<Assessment, 'verdict' | 'reasoning'> {
  for (const verdict of ['fail', 'error', 'skipped'] as const) {
    const such = rules.filter(({ result }) => result === verdict);
    if (such.length === 0) continue;
    const said = such.slice(0, SAID_RULES).map(({ rule, reason }) => `${rule}: ${reason}`);
    const more = such.length > SAID_RULES ? [`${such.length - SAID_RULES} more are in the details.`] : [];
    return { verdict, reasoning: [...said, ...more].join(' ') };
  }
  return { verdict: 'pass', reasoning: rules.length === 1 ? 'The rule holds.' : `All ${rules.length} rules hold.` };
}

/** Why the path is not whole: something other than the agent ended the attempt. A refused guarded action is the agent's own end. */
function cutOffBy(
  events: readonly JournalEvent[],
  isImported: boolean,
  outcome: OutcomeClass | undefined,
): string | undefined {
  const stop = events.findLast((event) => event.type === 'stop');
  if (stop === undefined || outcome === undefined) return 'The journal has no end.';
  const isWhole = isImported ? stop.status === 'answered' : isAgentOutcome(outcome);
  return isWhole ? undefined : `The attempt was cut off (${stop.status}): ${stop.reason.slice(0, 300)}`;
}

/** What the agent did before the end is its own; what it would have done afterwards is not known. */
function unsettled(rule: RuleResult, cutOff: string): RuleResult {
  if (rule.result === 'fail' && !rule.isMissing) return rule;
  return { ...rule, result: 'error', reason: `${cutOff} ${rule.reason}` };
}
