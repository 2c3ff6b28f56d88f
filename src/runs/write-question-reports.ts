/** Makes `report.json`, `report.md` and `report.html` of a run of questions from its journals and grades. Each journal is read once. */
import path from 'node:path';
import { putPieces, putText } from '../journal/index.ts';
import { readRunFile } from './folder/run-file.ts';
import { questionPage } from './html/question-page.ts';
import { ShownQuestions } from './html/shown-questions.ts';
import { keepManifest } from './integrity/manifest.ts';
import { JsonList } from './json-list.ts';
import { QuestionMarkdown } from './question-markdown.ts';
import { QuestionFold, type QuestionReportHead } from './question-report.ts';
import { recordedQuestions } from './recorded-questions.ts';

export async function writeQuestionReports(root: string): Promise<QuestionReportHead> {
  const run = readRunFile(root);
  const at = (...names: string[]): string => path.join(root, ...names);
  using list = new JsonList(at('report.json.list'));
  using markdown = new QuestionMarkdown(at('report.md'));
  const fold = new QuestionFold();
  const shown = new ShownQuestions();
  for await (const { result, trial } of recordedQuestions(root)) {
    fold.add(result, trial);
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
