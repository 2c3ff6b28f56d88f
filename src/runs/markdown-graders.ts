/** The graders of a run in `report.md`: side by side, and where they differ from the one that decides. */
import {
  differencesIn,
  type GradedAttempt,
  type GraderSummary,
  gradeCostText,
  gradeTokenText,
  kappaInterval,
  kappaText,
  notComparedText,
  shareCount,
  shareInterval,
} from '../view/index.ts';
import { cell } from './markdown-cell.ts';

/** Characters of a grader's reasoning. */
const REASONING = 1000;

export const GRADERS_NOTE =
  'Each grader stands for itself; nothing is averaged. Errors of a grader are no failures of the agent.';

export function graderTables(graders: readonly GraderSummary[]): string {
  const compared = graders.filter(({ agreement }) => agreement);
  return [
    '## Graders',
    '',
    GRADERS_NOTE,
    '',
    '| grader | decides | model | pass | fail | error | skipped | pass rate | 95 % interval | with errors | calls | tokens read / written | cost |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|---|',
    ...graders.map(rateRow),
    '',
    ...(compared.length === 0
      ? []
      : [
          '| agreement of | with | both pass | only it passes | only the deciding one passes | neither | same verdict | Cohen’s κ | 95 % interval | not compared |',
          '|---|---|---|---|---|---|---|---|---|---|',
          ...compared.map(agreementRow),
          '',
          ...compared.flatMap(({ grader, agreement }) =>
            agreement?.kappa.undefinedBecause === undefined
              ? []
              : [`κ of ${cell(grader)} is not defined: ${agreement.kappa.undefinedBecause}.`, ''],
          ),
        ]),
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

function rateRow({
  grader,
  decides,
  models = [],
  verdicts,
  passRate,
  passRateWithErrors,
  cost,
}: GraderSummary): string {
  return row([
    grader,
    decides === undefined ? '–' : `${decides}`,
    models.join(', ') || '–',
    verdicts.pass,
    verdicts.fail,
    verdicts.error,
    verdicts.skipped,
    shareCount(passRate),
    shareInterval(passRate),
    shareCount(passRateWithErrors),
    cost?.calls ?? '–',
    cost ? gradeTokenText(cost) : '–',
    cost ? gradeCostText(cost) : '–',
  ]);
}

function agreementRow({ grader, agreement }: GraderSummary): string {
  if (!agreement) return '';
  const { bothPass, onlyJudge, onlyReference, neither } = agreement.table;
  return row([
    grader,
    agreement.with.join(', '),
    bothPass,
    onlyJudge,
    onlyReference,
    neither,
    shareCount(agreement.agreement),
    kappaText(agreement.kappa),
    kappaInterval(agreement.kappa),
    notComparedText(agreement.notCompared) || '–',
  ]);
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.map((text) => cell(String(text))).join(' | ')} |`;
}
