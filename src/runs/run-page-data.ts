/** The run's own part of report.html and of the web app: one row per cell, and what graders differ about. Bounded in size. */
import { someOf } from '../errors/index.ts';
import type { EpisodeResult, JournalEvent, RunPlan } from '../events/index.ts';
import {
  type AttemptRow,
  attemptName,
  attemptRow,
  differencesIn,
  type GraderDifference,
  gradedTask,
  HTML_LIMITS,
  openRow,
  type RunView,
  runView,
  short,
} from '../view/index.ts';
import type { RecordedCell } from './folder/recorded-cells.ts';
import { RECOVERY_NOTE, type ReportHead, TEST_MODEL_NOTE } from './report.ts';
import { goingOnText, unfinishedText } from './run-coverage.ts';
import type { RunWarning } from './run-warnings.ts';
import { runName } from './variant-text.ts';

/** Attempts in the list of differences; report.md has all of them. */
const LISTED = 200;
const REASONING = 400;

/** The id of a cell in addresses: its place in the plan. */
export function cellId(index: number): string {
  return `e${index + 1}`;
}

export class RunPageData {
  readonly #name: string;
  readonly #models = new Set<string>();
  readonly #rows = new Map<string, AttemptRow>();
  readonly #differences: GraderDifference[] = [];
  #differing = 0;
  #leftOut = 0;
  #withoutDetails = 0;

  constructor(plan: Pick<RunPlan, 'runId' | 'suite' | 'variant'>) {
    this.#name = runName(plan);
  }

  /** `isOpenable`: its details can be opened. */
  add(id: string, result: EpisodeResult, events: readonly JournalEvent[], isOpenable = true): void {
    if (!isOpenable) this.#withoutDetails++;
    this.addRow({ ...attemptRow(id, result, events), ...(isOpenable ? {} : { hasJournal: false }) }, result);
  }

  /** Without a result where the attempt has none yet. */
  addRow(row: AttemptRow, result: EpisodeResult | undefined): void {
    if (result) this.#addDifferences(row.id, result);
    for (const model of result?.usage?.models ?? []) this.#models.add(model);
    const isPlain = row.tone === 'good' && row.differs !== true;
    if (this.#rows.size >= (isPlain ? HTML_LIMITS.rows : HTML_LIMITS.rows * 2)) this.#leftOut++;
    else this.#rows.set(row.id, row);
  }

  #addDifferences(id: string, result: EpisodeResult): void {
    const graded = gradedTask(result);
    const differing = differencesIn(graded);
    if (differing.length === 0) return;
    this.#differing++;
    if (this.#differences.length >= LISTED) return;
    const shown = graded.grades.filter((one) => one.grader === graded.decidedBy || differing.includes(one));
    const grades = shown.map((one) => ({ ...one, reasoning: short(one.reasoning, REASONING) }));
    this.#differences.push({ id, name: attemptName(result), decidedBy: graded.decidedBy, grades });
  }

  /** `isRunning`: a process writes the run now; what has no end yet is then not interrupted. */
  view(head: ReportHead, cells: readonly RecordedCell[], warnings: readonly RunWarning[], isRunning = false): RunView {
    const rows = cells.flatMap((cell, index) => this.#rowOf(cell, cellId(index)));
    return runView({
      name: this.#name,
      head,
      models: [...this.#models],
      attempts: rows,
      notes: this.#notes(head, rows.length, isRunning),
      notBegun: cells.flatMap(({ folder, notBegun: why }) => (why ? `${folder}: ${why.reason}` : [])),
      earlier: cells.flatMap((cell) => cell.earlier),
      warnings: warnings.map(({ text, taskIds }) => ({ text, about: someOf(taskIds) })),
      differences: { list: this.#differences, leftOut: this.#differing - this.#differences.length },
    });
  }

  #rowOf(cell: RecordedCell, id: string): AttemptRow[] {
    const known = this.#rows.get(id);
    const quarantined = cell.quarantine ? ({ isQuarantined: true } as const) : {};
    if (known) return [{ ...known, ...quarantined }];
    // Those that do not fit have a journal.
    if (this.#leftOut > 0 && this.#rows.size >= HTML_LIMITS.rows && cell.attempts > 0 && !cell.notBegun) return [];
    const status = cell.notBegun ? 'not begun' : cell.attempts === 0 ? 'pending' : 'cut off';
    return [{ ...openRow(id, cell, status), ...quarantined }];
  }

  #notes({ testModel, recoverySearch, summary }: ReportHead, listed: number, isRunning: boolean): string[] {
    const left = isRunning ? goingOnText(summary) : unfinishedText(summary);
    return [
      ...(testModel ? [TEST_MODEL_NOTE] : []),
      ...(recoverySearch ? [RECOVERY_NOTE] : []),
      ...(left === undefined ? [] : [`${left}. What has not finished counts as not passed in the strict rate.`]),
      ...(this.#leftOut > 0
        ? [
            `${this.#leftOut} of ${this.#leftOut + listed} attempts are not listed here, because a browser could not show them; those that did not pass come first. report.md lists all of them.`,
          ]
        : []),
      ...(this.#withoutDetails > 0
        ? [
            `${this.#withoutDetails} attempts that passed are shown without their steps; the run’s folder has everything.`,
          ]
        : []),
    ];
  }
}
