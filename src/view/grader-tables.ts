/** The graders of a run as tables of texts: the same in all reports. */
import { kappaInterval, kappaText, notComparedText, shareCount, shareInterval } from './agreement-text.ts';
import { gradeCostText, gradeTokenText } from './grade-costs.ts';
import { judgeModelText } from './graded-attempt.ts';
import type { GraderSummary } from './grader-fold.ts';

export interface GraderRow {
  grader: string;
  /** The models that it asked, or the graders that it is compared with. */
  about: string;
  /** One for each column. */
  cells: readonly string[];
}

export interface GraderTable {
  columns: readonly string[];
  rows: GraderRow[];
}

/** How often each grader said what, and what it took. */
export function verdictTable(graders: readonly GraderSummary[]): GraderTable {
  return {
    columns: [
      'Decides',
      'Pass',
      'Fail',
      'Error',
      'Skipped',
      'Pass rate',
      '95 % interval',
      'With errors',
      'Calls',
      'Tokens in / out',
      'Cost',
    ],
    rows: graders.map(({ grader, decides, models = [], verdicts, passRate, passRateWithErrors, cost }) => ({
      grader,
      about: models.map(judgeModelText).join(', '),
      cells: [
        `${decides ?? '–'}`,
        `${verdicts.pass}`,
        `${verdicts.fail}`,
        `${verdicts.error}`,
        `${verdicts.skipped}`,
        shareCount(passRate),
        shareInterval(passRate),
        shareCount(passRateWithErrors),
        `${cost?.calls ?? '–'}`,
        cost ? gradeTokenText(cost) : '–',
        cost ? gradeCostText(cost) : '–',
      ],
    })),
  };
}

/** How far each grader agrees with the one that decides; no rows where there is only one grader. */
export function agreementTable(graders: readonly GraderSummary[]): GraderTable {
  return {
    columns: [
      'Both pass',
      'Only it passes',
      'Only the deciding one',
      'Neither',
      'Same verdict',
      'Cohen’s κ',
      '95 % interval',
      'Not compared',
    ],
    rows: graders.flatMap(({ grader, agreement }) => {
      if (!agreement) return [];
      const { bothPass, onlyJudge, onlyReference, neither } = agreement.table;
      return {
        grader,
        about: `with ${agreement.with.join(', ')}`,
        cells: [
          `${bothPass}`,
          `${onlyJudge}`,
          `${onlyReference}`,
          `${neither}`,
          shareCount(agreement.agreement),
          kappaText(agreement.kappa),
          kappaInterval(agreement.kappa),
          notComparedText(agreement.notCompared) || '–',
        ],
      };
    }),
  };
}

/** What is to be said about the tables: a sentence for each κ that is not defined. */
export function graderNotes(graders: readonly GraderSummary[]): string[] {
  return graders.flatMap(({ grader, agreement }) => {
    const why = agreement?.kappa.undefinedBecause;
    return why === undefined ? [] : [`κ of ${grader} is not defined: ${why}.`];
  });
}

/** Before the tables. */
export const GRADERS_NOTE =
  'Each grader stands for itself; nothing is averaged. Errors of a grader are no failures of the agent.';
