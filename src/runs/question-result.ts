/** One question of a run as reports show it: a fold of its journal and its grades. */
import { decidingGrade, type Item, isDeciding, itemSchema } from '../cases/index.ts';
import {
  attemptFold,
  type Grade,
  type GradeOfResult,
  type GradeVerdict,
  gradeOfResult,
  type JournalEvent,
  latestByGrader,
} from '../events/index.ts';
import { type GradedAttempt, gradeView } from '../view/index.ts';

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
  /** The latest grade of each further grader; absent where there is none. */
  grades?: GradeOfResult[];
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
  const further = latestByGrader(grades.filter(({ grader }) => !isDeciding(grader)));
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
    ...(further.length > 0 ? { grades: further.map(gradeOfResult) } : {}),
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

/** What all graders say, side by side: the question's own checker or judge first. */
export function gradedQuestion({ grade, grades = [] }: QuestionResult): GradedAttempt {
  const { grader, verdict, score, reason } = grade ?? NOT_SCORED;
  return { decidedBy: grader, grades: [{ grader, verdict, score, reasoning: reason }, ...grades.map(gradeView)] };
}

export const NOT_SCORED = { grader: 'none', verdict: 'skipped', score: null, reason: 'It has no score yet.' } as const;

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
