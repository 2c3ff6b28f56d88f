/**
 * The journal of a question: start, what was asked, what was answered, what it used, stop. The same five events whether a model was called,
 * a chat page was captured, or version 0.1.0 kept only a row.
 */
import type { EventOf, EventType, JournalEvent, NewEvent } from './events.ts';
import type { AttemptRef } from './run-model.ts';
import { JOURNAL_VERSION } from './start-event.ts';
import type { ModelUsage } from './usage.ts';

export interface AskedQuestion {
  readonly attempt: AttemptRef;
  readonly agent: EventOf<'start'>['agent'];
  /** Where the journal has to hold the case itself. */
  readonly task?: unknown;
  readonly source?: { preset: string; origin: string; displayName: string } | undefined;
  readonly migrated?: true | undefined;
  readonly prompt: string;
}

export interface QuestionAnswer {
  /** With an error, what had arrived until then; null where nothing came. */
  readonly answer: string | null;
  readonly error?: { readonly code: string; readonly message: string } | null | undefined;
  readonly modelLabel?: string | null | undefined;
  readonly latencyMs?: number | null | undefined;
  readonly usage?: ModelUsage | null | undefined;
}

type AnyNewEvent = { [K in EventType]: NewEvent<K> & { type: K } }[EventType];

export function askedEvents({ attempt, agent, task, source, migrated, prompt }: AskedQuestion): AnyNewEvent[] {
  const { runId, caseId, trial } = attempt;
  return [
    {
      type: 'start',
      kind: 'question',
      runId,
      taskId: caseId,
      trial,
      attempt: attempt.attempt,
      agent,
      ...(task === undefined ? {} : { task }),
      ...(source ? { source } : {}),
      ...(migrated ? { migrated } : {}),
    },
    { type: 'message', message: { type: 'user', content: prompt } },
  ];
}

export function answeredEvents({ answer, error, modelLabel, latencyMs, usage }: QuestionAnswer): AnyNewEvent[] {
  return [
    ...(answer === null
      ? []
      : [{ type: 'message' as const, message: { type: 'assistant' as const, content: answer } }]),
    ...(usage ? [{ type: 'usage' as const, ...usage }] : []),
    {
      type: 'stop',
      status: error ? 'error' : 'answered',
      reason: error ? error.message : 'The question was answered.',
      ...(error ? { error: { code: error.code, message: error.message } } : {}),
      ...(modelLabel == null ? {} : { modelLabel }),
      ...(latencyMs == null ? {} : { latencyMs }),
    },
  ];
}

/** A journal of what is over: all that was asked at the first time, all that came back at the second. */
export function questionJournal(
  asked: AskedQuestion,
  answered: QuestionAnswer,
  times: { startedAt: number; finishedAt: number },
): JournalEvent[] {
  const finishedAt = Math.max(times.startedAt, times.finishedAt);
  const before = askedEvents(asked).map((event) => ({ time: times.startedAt, event }));
  const after = answeredEvents(answered).map((event) => ({ time: finishedAt, event }));
  return [...before, ...after].map(({ time, event }, seq) => {
    const version = event.type === 'start' ? { v: JOURNAL_VERSION } : {};
    return { seq, time, ...version, ...event } as JournalEvent;
  });
}

/** As it is stored: one event a line. */
export function journalText(events: readonly JournalEvent[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}
