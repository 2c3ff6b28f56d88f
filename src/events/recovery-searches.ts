/** What recovery search did in an attempt: its tree, and what it cost. None of it is the agent's. */
import type { EventOf, JournalEvent, TaskStart } from './events.ts';

export type RecoveryFork = Pick<
  EventOf<'recovery'>,
  'step' | 'trigger' | 'prefix' | 'candidates' | 'chosen' | 'substituted' | 'durationMs'
>;

export interface RecoverySearches {
  /** Replays that the attempt might have, and those that it had. */
  limit: number;
  replays: number;
  /** Calls that the replays made. */
  calls: number;
  durationMs: number;
  /** Steps at which the harness made another call than the agent's. */
  substituted: number;
  forks: RecoveryFork[];
}

/** Undefined for an attempt without recovery search. */
export function recoverySearches(start: TaskStart, events: readonly JournalEvent[]): RecoverySearches | undefined {
  if (!start.recovery) return undefined;
  const searches = events.filter((event): event is EventOf<'recovery'> => event.type === 'recovery');
  const trials = searches.flatMap(({ candidates }) => candidates);
  return {
    limit: start.recovery.replays,
    replays: searches.at(-1)?.replays.used ?? 0,
    calls: sum(trials.map(({ calls }) => calls)),
    durationMs: sum(searches.map(({ durationMs }) => durationMs)),
    substituted: searches.filter(({ substituted }) => substituted).length,
    forks: searches.map(({ step, trigger, prefix, candidates, chosen, substituted, durationMs }) => ({
      step,
      trigger,
      prefix,
      candidates,
      chosen,
      substituted,
      durationMs,
    })),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
