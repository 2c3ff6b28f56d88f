/** The graders of a run in `report.md`: side by side, and where they differ from the one that decides. */
import {
  agreementTable,
  differencesIn,
  GRADERS_NOTE,
  type GradedAttempt,
  type GraderSummary,
  type GraderTable,
  graderNotes,
  verdictTable,
} from '../view/index.ts';
import { cell } from './markdown-cell.ts';

/** Characters of a grader's reasoning. */
const REASONING = 1000;

export function graderTables(graders: readonly GraderSummary[]): string {
  const agreement = agreementTable(graders);
  return [
    '## Graders',
    '',
    GRADERS_NOTE,
    '',
    ...tableOf(verdictTable(graders), 'Model'),
    ...(agreement.rows.length > 0 ? tableOf(agreement, 'Agreement') : []),
    ...graderNotes(graders).flatMap((note) => [cell(note, REASONING), '']),
    '',
  ].join('\n');
}

/** Before the list of differences. */
export const DIFFERENCES_HEAD = '### Where graders differ from the one that decides\n\n';

/** A list item for each verdict that differs from the deciding one; empty where none does. */
export function differenceItems(name: string, file: string, attempt: GradedAttempt): string {
  const deciding = attempt.grades.find(({ grader }) => grader === attempt.decidedBy);
  return differencesIn(attempt)
    .map(
      ({ grader, verdict, reasoning }) =>
        `- **${cell(name)}**: ${cell(grader)} says ${verdict}, ${attempt.decidedBy} says ${deciding?.verdict} (\`${file}\`). ${cell(reasoning, REASONING)}\n`,
    )
    .join('');
}

function tableOf({ columns, rows }: GraderTable, about: string): string[] {
  const head = ['Grader', about, ...columns];
  return [
    row(head),
    `|${'---|'.repeat(head.length)}`,
    ...rows.map((one) => row([one.grader, one.about || '–', ...one.cells])),
    '',
  ];
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((text) => cell(text)).join(' | ')} |`;
}
