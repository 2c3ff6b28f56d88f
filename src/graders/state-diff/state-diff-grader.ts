/** The state of the application after the attempt, and before it where that is asked for, against criteria. */
import { sha256Hex } from '../../cases/index.ts';
import type { StateDiffSpec } from '../../cases/schemas.ts';
import { messageOf } from '../../errors/index.ts';
import type { EventOf } from '../../events/index.ts';
import { short } from '../../view/index.ts';
import type { Assessment, AttemptReader, Grader } from '../grader.ts';
import { type CriterionResult, criterionCheck } from './compare-states.ts';

/** Characters of a value; the details of a grade are bounded. */
const MAX_SHOWN = 300;

type StateEvent = EventOf<'app_state'>;
type StateRead = { readonly state: unknown } | Assessment;

/** @throws where a query can't be used. */
export function stateDiffGrader(spec: StateDiffSpec): Grader {
  const {
    name = 'state-diff',
    stateUrl,
    criteria,
    before: needsBefore = false,
    softened: acceptsSoftened = false,
  } = spec;
  const checks = criteria.map(criterionCheck);
  return {
    name,
    version: '1',
    async grade(attempt) {
      if (attempt.subject.kind === 'question')
        return { verdict: 'skipped', reasoning: 'A question has no application.' };
      const after = await readState(attempt, stateUrl, 'after');
      if (!('state' in after)) return after;
      const before = needsBefore ? await readState(attempt, stateUrl, 'before') : undefined;
      if (before && !('state' in before)) return before;
      const root = before ? { before: before.state, after: after.state } : after.state;
      return assessed(
        checks.map((check) => check(root)),
        acceptsSoftened,
      );
    },
  };
}

/** An environment that could not be read says nothing about the agent. */
async function readState(attempt: AttemptReader, stateUrl: string, phase: StateEvent['phase']): Promise<StateRead> {
  const isMeant = (event: StateEvent): boolean => event.stateUrl === stateUrl && event.phase === phase;
  const event = attempt.events.filter((each) => each.type === 'app_state').findLast(isMeant);
  if (!event)
    return {
      verdict: 'skipped',
      reasoning: `The attempt was made without reading the state ${phase} it at ${stateUrl}.`,
    };
  const { file, hash, reason } = event;
  if (file === undefined) return failed(`The state ${phase} the attempt could not be read: ${reason ?? ''}`);
  const content = await attempt.artifact(file);
  if (!content) return failed(`The file ${file} is missing.`);
  if (sha256Hex(content) !== hash)
    return failed(`The file ${file} is not the one that the journal names: its hash is another.`);
  try {
    return { state: JSON.parse(new TextDecoder().decode(content)) };
  } catch (error) {
    return failed(`The file ${file} is not JSON: ${messageOf(error)}`);
  }
}

function failed(reasoning: string): Assessment {
  return { verdict: 'error', reasoning };
}

function assessed(results: readonly CriterionResult[], acceptsSoftened: boolean): Assessment {
  const count = (match: CriterionResult['match']): number => results.filter((each) => each.match === match).length;
  const counts = { strict: count('strict'), softened: count('softened'), none: count('none') };
  const holds = counts.strict + (acceptsSoftened ? counts.softened : 0);
  const broken = results.find(({ match }) => match === 'none' || (match === 'softened' && !acceptsSoftened));
  const softly = counts.softened > 0 ? `, ${acceptsSoftened ? 'and' : 'without'} ${counts.softened} only softened` : '';
  const sum = `${counts.strict} of ${results.length} criteria hold strictly${softly}.`;
  return {
    verdict: holds === results.length ? 'pass' : 'fail',
    reasoning: broken ? `${sum} ${sentenceOf(broken)}` : sum,
    details: { criteria: results.length, ...counts, acceptsSoftened, results: results.map(detailOf) },
  };
}

function sentenceOf({ criterion, found }: CriterionResult): string {
  const { description, query, expected } = criterion;
  const title = description === undefined ? query : `${description} (${query})`;
  if ('problem' in found) return `${title}: ${found.problem}`;
  return `${title} is ${shown(found.value)}, not ${shown(expected)}.`;
}

function detailOf({ criterion, found, match }: CriterionResult) {
  const { query, description, expected } = criterion;
  return {
    query: short(query, MAX_SHOWN),
    ...(description === undefined ? {} : { description: short(description, MAX_SHOWN) }),
    match,
    expected: shown(expected),
    ...('problem' in found ? { problem: short(found.problem, MAX_SHOWN) } : { actual: shown(found.value) }),
  };
}

function shown(value: unknown): string {
  return short(JSON.stringify(value), MAX_SHOWN);
}
