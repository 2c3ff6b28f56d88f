/** Attempts that no judge is asked about, with the reason. */
import { isAgentOutcome, outcomeClass } from '../../metrics/index.ts';
import type { Assessment, AttemptReader } from '../grader.ts';

/** Undefined where the attempt ended by what the agent did, so that it can be judged. A guarded action that was refused is the agent's own. */
export function faultOfOthers({ events }: AttemptReader): Assessment | undefined {
  const stop = events.findLast((event) => event.type === 'stop');
  if (!stop) return skipped('The journal has no end.');
  if (stop.interrupted) return skipped('The run was stopped while the attempt went on.');
  // Whether an answer is right is asked here, and not known.
  if (stop.status === 'answered') return undefined;
  const reset = events.findLast((event) => event.type === 'reset');
  const outcome = outcomeClass(stop.status, reset?.ok === false ? 'reset' : stop.cause);
  if (isAgentOutcome(outcome)) return undefined;
  return skipped(`The attempt ended by a fault that was not the agent's (${outcome}): ${stop.reason}`);
}

export function skipped(reasoning: string): Assessment {
  return { verdict: 'skipped', reasoning };
}
