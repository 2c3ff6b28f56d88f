/** What it means that an attempt has no answer: the agent's failure only where the agent ended it. */
import type { JournalEvent } from '../events/index.ts';
import { isAgentOutcome, outcomeClass } from '../metrics/index.ts';
import type { Assessment, AttemptReader } from './grader.ts';

export function missingAnswer({ subject, events }: AttemptReader): Assessment {
  const stop = events.findLast((event): event is Extract<JournalEvent, { type: 'stop' }> => event.type === 'stop');
  if (subject.kind === 'task' && stop && !stop.interrupted && isAgentOutcome(outcomeClass(stop.status, stop.cause))) {
    if (stop.status !== 'passed' || stop.claimed !== undefined)
      return { verdict: 'fail', reasoning: 'The agent gave no answer.' };
    const reasoning =
      'The attempt ended when its contract held, before the agent could answer; --until-done waits for it.';
    return { verdict: 'skipped', reasoning };
  }
  const why = stop ? `the attempt ended otherwise: ${stop.reason}` : 'the attempt was cut off.';
  return { verdict: 'skipped', reasoning: `There is no answer, because ${why}` };
}
