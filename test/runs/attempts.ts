/** Plans and events for tests of stores: as short as a journal may be. */
import type { AttemptRef, EventType, Grade, JournalEvent, NewEvent, RunPlan } from '../../src/events/index.ts';
import { JOURNAL_VERSION } from '../../src/events/index.ts';
import { newRunId } from '../../src/runs/index.ts';

export function planOf(cases: readonly string[], trials = 1): RunPlan {
  return {
    runId: newRunId(),
    suite: { name: 'a-suite', hash: 'hash-of-the-suite' },
    variant: { kind: 'agent', agent: { kind: 'scripted' }, server: { name: 'embedded' } },
    trials,
    cells: cases.flatMap((caseId) => Array.from({ length: trials }, (_, index) => ({ caseId, trial: index + 1 }))),
    inputs: { hash: 'hash-of-the-inputs', of: { agent: 'scripted' } },
    createdAt: Date.parse('2026-11-16T06:00:00Z'),
  };
}

type New = { [T in EventType]: NewEvent<T> & { type: T } }[EventType];

export function startOf({ runId, caseId, trial, attempt }: AttemptRef): NewEvent<'start'> & { type: 'start' } {
  return {
    type: 'start',
    runId,
    taskId: caseId,
    trial,
    attempt,
    task: { id: caseId },
    hashes: { task: 't', contract: 'c', scorer: 's', constants: 'k' },
    agent: { kind: 'scripted' },
    server: { name: 'embedded', transport: 'memory', isolation: 'context' },
    environment: { waymark: '0', node: process.version, platform: 'linux' },
    hasProgressStatus: false,
  };
}

export const STOP = { type: 'stop', status: 'passed', reason: 'The contract passed after step 1.' } as const;

/** A warning is the shortest event between start and stop. */
export function note(message: string): NewEvent<'warning'> & { type: 'warning' } {
  return { type: 'warning', source: 'test', message };
}

/** Events as a journal numbers and stamps them. */
export function stamped(events: readonly New[]): JournalEvent[] {
  return events.map(
    (event, seq) =>
      ({ seq, time: 1_000 + seq, ...(event.type === 'start' ? { v: JOURNAL_VERSION } : {}), ...event }) as JournalEvent,
  );
}

export function gradeOf(grader: string, round: number, changes: Partial<Grade> = {}): Grade {
  return { grader, round, verdict: 'pass', score: 1, details: {}, at: 1_000 + round, ...changes };
}
