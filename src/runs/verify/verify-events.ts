/** An attempt evaluated again from its journal: verdicts, scores and states, the hashes of task and contract, and how it ended. Pure: the same events, the same answer. */
import { type EpisodeTaskSpec, taskHash } from '../../cases/index.ts';
import { contractHash, parseContract } from '../../contracts/index.ts';
import { WaymarkError } from '../../errors/index.ts';
import { type EventOf, type JournalEvent, rescoreEvents, type TaskStart } from '../../events/index.ts';
import { REWARD_PROVENANCE } from '../../reward/index.ts';
import type { Discrepancy } from './discrepancy.ts';
import { orderDifferences } from './verify-order.ts';

export interface EvaluatedEvents {
  start: TaskStart;
  verdicts: number;
  rewards: number;
  differences: Discrepancy[];
  /** What is no difference, but explains one. */
  notes: string[];
}

export function verifyEvents(events: readonly JournalEvent[]): EvaluatedEvents {
  const [start] = events;
  if (start?.type !== 'start' || start.kind === 'question')
    throw new WaymarkError({ code: 'journal_corrupt', message: 'The journal is empty.' });
  const { verdicts, rewards, differences } = rescoreEvents(events);
  const { scorer, constants } = start.hashes;
  const isOldRules = scorer !== REWARD_PROVENANCE.scorer || constants !== REWARD_PROVENANCE.constants;
  // Other rules give other scores: only the same rules can show that a score was changed. Whether there is one depends on no rule.
  const isOfRules = ({ what, recorded, again }: Discrepancy): boolean =>
    isOldRules && what === 'reward' && recorded !== undefined && again !== undefined;
  const byRules = differences.filter(isOfRules).length;
  return {
    start,
    verdicts,
    rewards,
    differences: [
      ...hashDifferences(start),
      ...differences.filter((difference) => !isOfRules(difference)),
      ...orderDifferences(events),
      ...statusDifference(events),
    ],
    notes: isOldRules
      ? [
          `It was scored by other rules (${scorer}, ${constants}); today's are ${REWARD_PROVENANCE.scorer}, ${REWARD_PROVENANCE.constants}, and give ${byRules} of ${rewards} scores another value.`,
        ]
      : [],
  };
}

/** The task in the journal must be the one that its hashes name: an easier contract would make every verdict right. */
function hashDifferences({ seq, task, hashes }: TaskStart): Discrepancy[] {
  const spec = task as EpisodeTaskSpec;
  const parsed = parseContract(spec.success);
  const again = { task: taskHash(spec), contract: parsed.ok ? contractHash(parsed.contract) : 'not a contract' };
  return [
    ...(again.task === hashes.task
      ? []
      : [{ seq, what: 'task_hash' as const, recorded: hashes.task, again: again.task }]),
    ...(again.contract === hashes.contract
      ? []
      : [{ seq, what: 'contract_hash' as const, recorded: hashes.contract, again: again.contract }]),
  ];
}

/** A status that the verdicts do not allow. */
function statusDifference(events: readonly JournalEvent[]): Discrepancy[] {
  const stop = events.findLast((event): event is EventOf<'stop'> => event.type === 'stop');
  if (!stop) return [];
  const verdicts = events.filter((event): event is EventOf<'contract_eval'> => event.type === 'contract_eval');
  // The final look visits every lane, and the contract must hold on one of them.
  const finals = verdicts.filter(({ phase }) => phase === 'final').map(({ verdict }) => verdict);
  const last = finals.includes('pass') ? 'pass' : (verdicts.at(-1)?.verdict ?? 'none');
  // The page may move on between the step that passed and the last look: either may carry the pass.
  const step = verdicts.findLast(({ phase }) => phase === 'step')?.verdict ?? 'none';
  const passes = last === 'pass' || step === 'pass';
  const isEnd = stop.status === 'failed' || stop.status === 'max_steps';
  // What was stopped at a guarded action did not pass, whatever the page shows.
  const wrong = stop.status === 'passed' ? !passes : isEnd && stop.cause === undefined && last === 'pass';
  const again = `the last verdicts are ${step} (step) and ${last}`;
  return wrong ? [{ seq: stop.seq, what: 'status', recorded: stop.status, again }] : [];
}
