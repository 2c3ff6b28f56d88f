/**
 * The grades of a run of questions, appended beside its journals: by the checkers, and by the judge where only a judge can tell. An attempt
 * that has a verdict keeps it; one that waited for a judge is graded in the next round.
 */
import { decidingGrade, type Item } from '../cases/index.ts';
import { type AttemptRef, attemptFold, type Grade, type JournalEvent } from '../events/index.ts';
import { type JudgeProvider, skipped } from '../graders/index.ts';
import type { CallContext } from '../models/index.ts';
import { gradeItem, judgePending } from './grading/grade-item.ts';
import type { NewGrade, PendingItem } from './grading/pending-item.ts';
import type { QuestionRun } from './resolve-questions.ts';
import type { RunStore } from './run-store.ts';

/** Judges that are asked at once. */
const JUDGES = 4;

export interface Grading {
  readonly run: Pick<QuestionRun, 'plan' | 'items' | 'judge'>;
  readonly store: RunStore;
  readonly context: CallContext;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** @throws the signal's reason when it is stopped: grades that were given stay. */
export async function gradeQuestions(grading: Grading): Promise<void> {
  const { run, store, context, now } = grading;
  const { judge } = run;
  const waiting = needingJudge(grading);
  const lanes = Array.from({ length: JUDGES }, async () => {
    // One source for all lanes; it ends for all when one of them fails.
    for await (const { pending, attempt, round } of waiting) {
      const grade = judge ? await judgePending(pending, judge, context) : withoutJudge(pending);
      await store.appendGrades(attempt, [gradeFrom(grade, round, now())]);
    }
  });
  for (const lane of await Promise.allSettled(lanes)) if (lane.status === 'rejected') throw lane.reason;
}

interface Waiting {
  readonly pending: PendingItem;
  readonly attempt: AttemptRef;
  readonly round: number;
}

/** Grades what a checker can, and gives the others. */
async function* needingJudge({ run, store, now }: Grading): AsyncGenerator<Waiting, void, undefined> {
  const { runId } = run.plan;
  let seq = 0;
  for await (const { caseId, trial, attempts } of store.cells(runId)) {
    const counted = attempts.findLast(({ finished }) => finished);
    const item = run.items.get(caseId);
    if (!counted || !item) continue;
    const attempt = { runId, caseId, trial, attempt: counted.attempt };
    const last = decidingGrade(await store.grades(attempt));
    if (!isOpen(last, run.judge)) continue;
    const round = 1 + (last?.round ?? 0);
    const pending = pendingItem({ seq: seq++, item, attempt: counted.attempt, events: await listOf(store, attempt) });
    const grade = gradeItem(pending);
    if (grade === 'judge') yield { pending, attempt, round };
    else await store.appendGrades(attempt, [gradeFrom(grade, round, now())]);
  }
}

function isOpen(last: Grade | undefined, judge: JudgeProvider | undefined): boolean {
  if (!last) return true;
  const isSettled = last.verdict === 'pass' || last.verdict === 'fail';
  return last.grader === 'judge' && !isSettled && judge !== undefined;
}

export function pendingItem(about: {
  seq: number;
  item: Item;
  attempt: number;
  events: readonly JournalEvent[];
}): PendingItem {
  const { result, answer } = attemptFold(about.events);
  return {
    seq: about.seq,
    item: about.item,
    attempt: about.attempt,
    status: result === 'answered' ? 'answered' : 'error',
    response: answer,
  };
}

export function gradeFrom({ method, value, verdict, detail, judge }: NewGrade, round: number, at: number): Grade {
  const { reason, ...details } = detail;
  return {
    grader: method,
    round,
    verdict,
    score: value,
    reasoning: reason,
    details: { ...details, ...(judge === null ? {} : { judge }) },
    at,
  };
}

function withoutJudge({ item, attempt }: PendingItem): NewGrade {
  const why = skipped('Only a judge can score this item, and the run has none.');
  return { id: item.id, attempt, method: 'judge', judge: null, ...why };
}

async function listOf(store: RunStore, attempt: AttemptRef): Promise<JournalEvent[]> {
  const events: JournalEvent[] = [];
  for await (const event of store.events(attempt)) events.push(event);
  return events;
}
