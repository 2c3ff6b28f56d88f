/** One question of a run as reports show it: a fold of its journal and its grades. */
import { decidingGrade, type Item, itemSchema } from '../cases/index.ts';
import { attemptFold, type Grade, type GradeVerdict, type JournalEvent } from '../events/index.ts';

export interface QuestionResult {
  id: string;
  /** Null where the question was never asked. */
  section: string | null;
  status: 'answered' | 'error' | 'missing';
  /** The attempt that counts, from 1; 0 where there is none. */
  attempt: number;
  prompt: string | null;
  answer: string | null;
  error: { code: string; message: string } | null;
  /** Null where it has no grade yet. */
  grade: { verdict: GradeVerdict; score: number | null; grader: string; round: number; reason: string } | null;
  modelLabel: string | null;
  latencyMs: number | null;
  inputTokens: number | null;
  outputTokens: number | null;
  /** In US dollars; null where the price is not known. */
  costUsd: number | null;
  /** Of the judge that was asked, in the round that counts. */
  judgeTokens: { input: number | null; output: number | null; costUsd: number | null } | null;
  /** What the provider had to say about the call. */
  warnings: string[];
  /** The journal, relative to the run's folder. */
  journal: string | null;
}

export interface QuestionSource {
  caseId: string;
  attempt: number;
  journal: string;
  events: readonly JournalEvent[];
  grades: readonly Grade[];
}

export function questionResult({ caseId, attempt, journal, events, grades }: QuestionSource): QuestionResult {
  const fold = attemptFold(events);
  const isAnswered = fold.result === 'answered';
  const isEnded = fold.result !== null;
  const deciding = decidingGrade(grades);
  return {
    id: caseId,
    section: itemIn(events)?.section ?? null,
    status: isAnswered ? 'answered' : isEnded ? 'error' : 'missing',
    attempt: isEnded ? attempt : 0,
    prompt: promptIn(events),
    answer: fold.answer,
    error: fold.errorCode === null ? null : { code: fold.errorCode, message: fold.errorMessage ?? '' },
    grade: deciding
      ? {
          verdict: deciding.verdict,
          score: deciding.score,
          grader: deciding.grader,
          round: deciding.round,
          reason: deciding.reasoning ?? '',
        }
      : null,
    modelLabel: fold.modelLabel,
    latencyMs: fold.latencyMs,
    inputTokens: fold.inputTokens,
    outputTokens: fold.outputTokens,
    costUsd: fold.costUsd,
    judgeTokens: judgeTokens(deciding),
    warnings: events.flatMap((event) => (event.type === 'warning' ? [event.message] : [])),
    journal: events.length > 0 ? journal : null,
  };
}

/** The item stands in the journal's first event, so that a folder can be graded and reported by itself. */
export function itemIn([start]: readonly JournalEvent[]): Item | undefined {
  return start?.type === 'start' ? itemSchema.safeParse(start.task).data : undefined;
}

function promptIn(events: readonly JournalEvent[]): string | null {
  const asked = events.find((event) => event.type === 'message' && event.message.type === 'user');
  return asked?.type === 'message' && asked.message.type === 'user' ? asked.message.content : null;
}

function judgeTokens(grade: Grade | undefined): QuestionResult['judgeTokens'] {
  const record = Object(grade?.details['judge'] ?? null);
  if (grade?.details['judge'] === undefined) return null;
  const known = (value: unknown): number | null => (typeof value === 'number' ? value : null);
  return {
    input: known(record.prompt_tokens),
    output: known(record.completion_tokens),
    costUsd: known(record.cost_usd),
  };
}
