/** The questions of a run with their results, in the order of the plan: every journal is read once, and one is held at a time. */
import path from 'node:path';
import type { JournalEvent } from '../events/index.ts';
import { GRADES_FILE, JOURNAL_FILE } from './folder/attempt-folders.ts';
import { readGrades } from './folder/grades-file.ts';
import { recordedCells } from './folder/recorded-cells.ts';
import { readRunFile } from './folder/run-file.ts';
import { type QuestionResult, questionResult } from './question-result.ts';
import { eventsIn } from './recorded-attempts.ts';

export interface RecordedQuestion {
  result: QuestionResult;
  trial: number;
  /** None where it was never asked. */
  events: JournalEvent[];
}

export async function* recordedQuestions(root: string): AsyncGenerator<RecordedQuestion, void, undefined> {
  for (const { caseId, trial, attempt, folder } of recordedCells(root, readRunFile(root))) {
    const events = await eventsIn(path.join(root, folder));
    const grades = readGrades(path.join(root, folder, GRADES_FILE));
    const journal = path.join(folder, JOURNAL_FILE);
    yield { result: questionResult({ caseId, attempt, journal, events, grades }), trial, events };
  }
}
