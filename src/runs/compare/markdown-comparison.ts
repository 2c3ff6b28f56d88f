/** A comparison as Markdown: for a pull request, a step summary or a page of results. */
import {
  claimSentence,
  comparisonTables,
  evidenceSentences,
  regressionSentence,
  verdictSentence,
} from '../../view/index.ts';
import { cell } from '../markdown-cell.ts';
import type { ComparedRuns, RunFolderComparison } from './compare-run-folders.ts';
import { divergenceSentence } from './divergence-text.ts';

export function markdownComparison({ comparisons }: ComparedRuns): string {
  return comparisons.map(sectionOf).join('\n');
}

function sectionOf(comparison: RunFolderComparison): string {
  const { a, b, divergences } = comparison;
  const regression = regressionSentence(comparison);
  const sentences = [...evidenceSentences(comparison), claimSentence(comparison)];
  const tables = comparisonTables(comparison).map(({ columns, rows, note }) =>
    [
      ...(note === undefined ? [] : [note, '']),
      `| ${columns.map((name) => cell(name)).join(' | ')} |`,
      `|${columns.map(() => '---').join('|')}|`,
      ...rows.map((row) => `| ${row.map((text) => cell(text)).join(' | ')} |`),
      '',
    ].join('\n'),
  );
  const parted = divergences.map((pair) => `- ${cell(divergenceSentence(pair, comparison), 600)}`);
  return [
    `### ${cell(b.name)} against ${cell(a.name)}`,
    '',
    `**${cell(verdictSentence(comparison), 600)}**`,
    '',
    ...(regression === undefined ? [] : [`**${cell(regression, 2_000)}**`, '']),
    ...sentences.map((sentence) => `- ${cell(sentence, 2_000)}`),
    '',
    ...tables,
    ...(parted.length > 0 ? ['Where they part:', '', ...parted, ''] : []),
  ].join('\n');
}
