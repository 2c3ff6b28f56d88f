/**
 * The answers of a finished run, checked again from its journals by the rules of this version. A judge's verdict stays as it is: asking again
 * would be another opinion.
 */
import path from 'node:path';
import { decidingGrade } from '../cases/index.ts';
import type { Grade } from '../events/index.ts';
import { GRADES_FILE } from './folder/attempt-folders.ts';
import { FolderRunStore } from './folder/folder-run-store.ts';
import { readGrades } from './folder/grades-file.ts';
import { recordedCells } from './folder/recorded-cells.ts';
import { readRunFile } from './folder/run-file.ts';
import { gradeFrom, pendingItem } from './grade-questions.ts';
import { gradeItem } from './grading/grade-item.ts';
import { itemIn } from './question-result.ts';
import { eventsIn } from './recorded-attempts.ts';

export interface RegradedQuestions {
  runId: string;
  /** Items of the plan. Those without an answer or without a grade are neither checked nor judged. */
  planned: number;
  /** Answers that were checked again. */
  checked: number;
  /** Verdicts of a judge, which stay. */
  judged: number;
  changed: RegradedQuestion[];
}

export interface RegradedQuestion {
  id: string;
  attempt: number;
  recorded: Grade;
  again: Grade;
}

/** Changes nothing. */
export async function regradeQuestions(root: string, now: () => number = Date.now): Promise<RegradedQuestions> {
  const run = readRunFile(root);
  const regraded: RegradedQuestions = {
    runId: run.plan.runId,
    planned: run.plan.cells.length,
    checked: 0,
    judged: 0,
    changed: [],
  };
  for (const { caseId, attempt, folder } of recordedCells(root, run)) {
    const recorded = decidingGrade(readGrades(path.join(root, folder, GRADES_FILE)));
    if (!recorded) continue;
    const events = await eventsIn(path.join(root, folder));
    const item = itemIn(events);
    const grade = item && gradeItem(pendingItem({ seq: 0, item, attempt, events }));
    if (!grade || grade === 'judge') {
      regraded.judged++;
      continue;
    }
    regraded.checked++;
    const again = gradeFrom(grade, recorded.round + 1, now());
    if (!isSame(recorded, again)) regraded.changed.push({ id: caseId, attempt, recorded, again });
  }
  return regraded;
}

/** What changed is appended as the next round; earlier rounds stay. */
export async function rescoreQuestions(root: string, now: () => number = Date.now): Promise<RegradedQuestions> {
  const regraded = await regradeQuestions(root, now);
  using store = new FolderRunStore(root);
  for (const { id, attempt, again } of regraded.changed)
    await store.appendGrades({ runId: regraded.runId, caseId: id, trial: 1, attempt }, [again]);
  return regraded;
}

function isSame(recorded: Grade, again: Grade): boolean {
  return (
    recorded.grader === again.grader &&
    recorded.verdict === again.verdict &&
    recorded.score === again.score &&
    recorded.reasoning === again.reasoning
  );
}
