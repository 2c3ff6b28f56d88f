/** Makes `report.json`, `report.md` and `report.html` of a run of questions from its journals and grades. Each journal is read once. */
import path from 'node:path';
import { putPieces, putText } from '../journal/index.ts';
import { GRADES_FILE, JOURNAL_FILE } from './folder/attempt-folders.ts';
import { readGrades } from './folder/grades-file.ts';
import { recordedCells } from './folder/recorded-cells.ts';
import { readRunFile } from './folder/run-file.ts';
import { questionPage } from './html/question-page.ts';
import { ShownQuestions } from './html/shown-questions.ts';
import { keepManifest } from './integrity/manifest.ts';
import { JsonList } from './json-list.ts';
import { QuestionMarkdown } from './question-markdown.ts';
import { QuestionFold, type QuestionReportHead } from './question-report.ts';
import { type QuestionResult, questionResult } from './question-result.ts';
import { eventsIn } from './recorded-attempts.ts';

export async function writeQuestionReports(root: string): Promise<QuestionReportHead> {
  const run = readRunFile(root);
  const at = (...names: string[]): string => path.join(root, ...names);
  using list = new JsonList(at('report.json.list'));
  using markdown = new QuestionMarkdown(at('report.md'));
  const fold = new QuestionFold();
  const shown = new ShownQuestions();
  for await (const result of questionResults(root)) {
    fold.add(result);
    list.add(result);
    markdown.add(result);
    shown.add(result);
  }
  const head = fold.head(run);
  putPieces(at('report.json'), list.pieces(head, 'items'));
  putPieces(at('report.md'), markdown.pieces(head));
  putText(at('report.html'), questionPage(head, shown.selected()));
  keepManifest(root, run);
  return head;
}

/** In the order of the plan, one at a time. */
async function* questionResults(root: string): AsyncGenerator<QuestionResult, void, undefined> {
  for (const cell of recordedCells(root, readRunFile(root))) {
    const folder = path.join(root, cell.folder);
    yield questionResult({
      caseId: cell.caseId,
      attempt: cell.attempt,
      journal: path.join(cell.folder, JOURNAL_FILE),
      events: await eventsIn(folder),
      grades: readGrades(path.join(folder, GRADES_FILE)),
    });
  }
}
