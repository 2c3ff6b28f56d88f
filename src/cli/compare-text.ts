/** What `waymark compare` prints for people. */
import { divergenceSentence, type RunFolderComparison } from '../runs/local.ts';
import {
  claimSentence,
  comparisonTables,
  evidenceSentences,
  regressionSentence,
  verdictSentence,
} from '../view/index.ts';
import { aligned } from './aligned.ts';
import { printable } from './printable.ts';
import type { Style, Terminal } from './terminal.ts';

/** Rows of one table; --json and --html have all of them. */
const ROWS = 30;

const COLOURS: Readonly<Record<RunFolderComparison['overall']['verdict'], Style>> = {
  better: 'green',
  worse: 'red',
  not_enough_evidence: 'yellow',
};

export function comparisonText(comparison: RunFolderComparison, { paint }: Terminal): string {
  const { overall, divergences } = comparison;
  const regression = regressionSentence(comparison);
  const tables = comparisonTables(comparison).flatMap(({ columns, rows, note }) => [
    '',
    ...(note === undefined ? [] : [note]),
    ...aligned([columns, ...rows.slice(0, ROWS)]),
    ...(rows.length > ROWS ? [`… ${rows.length - ROWS} more; --json has all`] : []),
  ]);
  const parted = divergences.map((pair) => `  ${divergenceSentence(pair, comparison)}`);
  return `${[
    paint(COLOURS[overall.verdict], printable(verdictSentence(comparison))),
    ...(regression === undefined ? [] : [paint('red', printable(regression))]),
    ...evidenceSentences(comparison).map(printable),
    printable(claimSentence(comparison)),
    ...tables.map(printable),
    ...(parted.length > 0 ? ['', 'where they part:', ...parted.map(printable)] : []),
  ].join('\n')}\n`;
}
