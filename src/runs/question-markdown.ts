/** `report.md` of a run of questions. Its tables grow on the disk, one result at a time. */
import { Spool } from '../journal/index.ts';
import { cell } from './markdown-cell.ts';
import { DIFFERENCES_HEAD, differenceItems, graderTables } from './markdown-graders.ts';
import { statisticsOf } from './markdown-statistics.ts';
import { accuracyText, costText, countText, modelText, shareText, warningText } from './question-numbers.ts';
import type { QuestionReportHead } from './question-report.ts';
import { gradedQuestion, type QuestionResult } from './question-result.ts';

export class QuestionMarkdown implements Disposable {
  readonly #rows: Spool;
  readonly #differences: Spool;
  readonly #errors: Spool;

  /** Its parts are kept beside this file until it is written. */
  constructor(file: string) {
    this.#rows = new Spool(`${file}.rows`);
    this.#differences = new Spool(`${file}.differences`);
    this.#errors = new Spool(`${file}.errors`);
  }

  add(result: QuestionResult): void {
    const { id, status, prompt, answer, grade, error, journal } = result;
    this.#differences.add(differenceItems(id, journal ?? '', gradedQuestion(result)));
    if (status === 'answered')
      this.#rows.add(row([id, grade?.verdict ?? 'no score', prompt ?? '', answer ?? '', grade?.reason ?? '']));
    else
      this.#errors.add(
        row([id, status, error ? `${error.code}: ${error.message}` : 'It was not asked, or its call was cut off.']),
      );
  }

  *pieces(head: QuestionReportHead): Generator<string | Buffer, void, undefined> {
    const { summary, usage, judgeUsage, warnings } = head;
    yield `# Run ${head.runId}

${modelText(head)} on ${cell(head.dataset.name)}.

**${accuracyText(summary)}**, scored ${summary.scored} of ${summary.total} items (coverage ${shareText(summary.coverage)}). ${countText(summary)}.

Tokens read / written: ${usage.inputTokens ?? 'unknown'} / ${usage.outputTokens ?? 'unknown'}; cost: ${costText(usage)}.${judgeUsage ? ` Judge: ${judgeUsage.inputTokens ?? 'unknown'} / ${judgeUsage.outputTokens ?? 'unknown'}; cost: ${costText(judgeUsage)}.` : ''}

| section | accuracy | scored |
|---|---|---|
${summary.sections.map((section) => row([section.section, accuracyText(section), `${section.scored} of ${section.total}`])).join('')}
`;
    yield statisticsOf(summary.statistics);
    if (warnings.length > 0) {
      yield `## Warnings\n\n${warnings.map((warning) => `- ${cell(warningText(warning))}\n`).join('')}\n`;
    }
    if (summary.graders) yield graderTables(summary.graders);
    if (!this.#differences.isEmpty) {
      yield DIFFERENCES_HEAD;
      yield* this.#differences.pieces();
      yield '\n';
    }
    if (!this.#rows.isEmpty) {
      yield '## Answers\n\n| item | verdict | prompt | answer | reason |\n|---|---|---|---|---|\n';
      yield* this.#rows.pieces();
      yield '\n';
    }
    if (!this.#errors.isEmpty) {
      yield '## Without an answer\n\nThese are no wrong answers: they are in no accuracy.\n\n| item | status | reason |\n|---|---|---|\n';
      yield* this.#errors.pieces();
    }
  }

  [Symbol.dispose](): void {
    for (const spool of [this.#rows, this.#differences, this.#errors]) spool[Symbol.dispose]();
  }
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((text) => cell(text)).join(' | ')} |\n`;
}
