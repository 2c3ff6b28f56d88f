/** What graders said, as lines and as counts by grader. */
import type { Cell, Grade, GradeVerdict } from '../events/index.ts';
import type { Terminal } from './terminal.ts';

export interface GraderCount extends Record<GradeVerdict, number> {
  grader: string;
  /** Attempts of which it said what it had said before. */
  unchanged: number;
  /** Of the model that it asked; null where a cost is not known. */
  calls: number;
  usd: number | null;
}

export class GradeCounts {
  readonly #counts = new Map<string, GraderCount>();

  add({ grader, verdict, cost }: Grade, isUnchanged: boolean): void {
    const count = this.#counts.get(grader) ?? {
      grader,
      pass: 0,
      fail: 0,
      error: 0,
      skipped: 0,
      unchanged: 0,
      calls: 0,
      usd: 0,
    };
    this.#counts.set(grader, count);
    count[verdict]++;
    if (isUnchanged) count.unchanged++;
    // What an earlier round cost is not paid again.
    if (isUnchanged || !cost) return;
    count.calls += cost.calls;
    count.usd = count.usd === null || cost.usd === undefined ? null : count.usd + cost.usd;
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  get hasErrors(): boolean {
    return this.list().some(({ error }) => error > 0);
  }

  list(): GraderCount[] {
    return [...this.#counts.values()];
  }

  lines(paint: Terminal['paint']): string[] {
    return this.list().map(({ grader, pass, fail, error, skipped, unchanged, calls, usd }) => {
      const parts = [
        `${pass} of ${pass + fail} passed`,
        ...(error > 0 ? [`${error} could not be graded`] : []),
        ...(skipped > 0 ? [`${skipped} skipped`] : []),
        ...(unchanged > 0 ? [`${unchanged} as before`] : []),
        ...(calls > 0 ? [`${calls} calls of the judge, ${usd === null ? 'cost unknown' : `$${usd.toFixed(4)}`}`] : []),
      ];
      return `${paint('bold', grader)}: ${parts.join('; ')}`;
    });
  }
}

const COLOURS = { pass: 'green', fail: 'red', error: 'yellow', skipped: 'dim' } as const;

export function gradeLine({ caseId, trial }: Cell, grade: Grade, { paint }: Terminal): string {
  const why = grade.verdict === 'pass' ? '' : `  ${grade.reasoning?.split('\n')[0] ?? ''}`;
  const name = trial > 1 ? `${caseId} (trial ${trial})` : caseId;
  return `${name}  ${grade.grader}  ${paint(COLOURS[grade.verdict], grade.verdict)}${why}`;
}
