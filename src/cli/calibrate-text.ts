/** What `waymark calibrate` prints for people. */
import type { Calibration, JudgeCalibration } from '../runs/local.ts';
import {
  gradeCostText,
  gradeTokenText,
  judgeModelText,
  kappaInterval,
  kappaText,
  notComparedText,
  shareCount,
  shareInterval,
  short,
} from '../view/index.ts';
import { aligned } from './aligned.ts';
import type { Terminal } from './terminal.ts';

/** Differences that are listed for one judge; --json has all of them. */
const LISTED = 10;

export function calibrationText({ grader, about, judges }: Calibration, terminal: Terminal): string {
  return [
    ...(about === undefined ? [] : [`${about}\n`]),
    ...judges.map((one) => judgeText(grader, one, terminal)),
  ].join('\n');
}

function judgeText(grader: string, one: JudgeCalibration, { paint }: Terminal): string {
  const { judge, rows, notExecutable, compared, notCompared, table, kappa, cost } = one;
  const left = [notComparedText(notCompared), notExecutable > 0 ? `${notExecutable} not executable` : ''];
  const beside = left.filter((part) => part !== '').join(', ');
  const counts = aligned([
    ['', 'people: pass', 'people: fail'],
    [`${grader}: pass`, String(table.bothPass), String(table.onlyJudge)],
    [`${grader}: fail`, String(table.onlyReference), String(table.neither)],
  ]);
  const numbers = aligned([
    ['', '', '95 % interval'],
    ...(['agreement', 'precision', 'recall', 'specificity'] as const).map((name) => [
      name,
      shareCount(one[name]),
      shareInterval(one[name]),
    ]),
    ["Cohen's κ", kappaText(kappa), kappaInterval(kappa)],
  ]);
  return `${[
    paint(
      'bold',
      `${grader}${judge === null ? '' : `, judge ${judgeModelText(judge)}`}: ${compared} of ${rows} labelled lines compared`,
    ),
    ...(beside === '' ? [] : [`not compared: ${beside}`]),
    '',
    ...counts,
    '',
    ...numbers,
    ...(kappa.undefinedBecause === undefined ? [] : [`κ is not defined: ${kappa.undefinedBecause}.`]),
    ...(cost
      ? ['', `${cost.calls} calls, tokens read / written: ${gradeTokenText(cost)}, cost: ${gradeCostText(cost)}`]
      : []),
    ...differencesOf(one),
  ].join('\n')}\n`;
}

function differencesOf({ differences }: JudgeCalibration): string[] {
  if (differences.length === 0) return [];
  const shown = differences.slice(0, LISTED).map(({ line, attempt, label, verdict, reasoning }) => {
    const name = attempt ? ` (${attempt.caseId}, trial ${attempt.trial}, attempt ${attempt.attempt})` : '';
    return `  line ${line}${name}: people say ${label}, it says ${verdict}: ${short(reasoning.replaceAll(/\s+/g, ' ').trim(), 200)}`;
  });
  const more = differences.length > LISTED ? [`  ${differences.length - LISTED} more; --json lists all`] : [];
  return ['', 'where it differs or has no verdict:', ...shown, ...more];
}
