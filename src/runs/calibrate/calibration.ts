/** What a grader said of what people have labelled, counted by judge. */
import type { Grade } from '../../events/index.ts';
import { type Agreement, AgreementFold } from '../../metrics/index.ts';
import { GradeCostFold, type GradeCosts } from '../../view/index.ts';

export interface Calibration {
  format: 'waymark.calibration.v1';
  grader: string;
  /** What the file of labels or replies says of itself. */
  about?: string;
  /** In the order in which the file names them; one without a name where it names none. */
  judges: JudgeCalibration[];
  /** Lines that were not judged, because it was stopped; absent where there are none. */
  notJudged?: number;
}

export interface JudgeCalibration extends Agreement {
  /** The judge, or the model that judged; null where none is named. */
  judge: string | null;
  /** Labelled lines. */
  rows: number;
  /** Of these, cases that could not be carried out: they are not judged. */
  notExecutable: number;
  /** Of the calls that were made now; absent where no model was asked. */
  cost?: GradeCosts;
  /** Lines whose verdict differs from the label, and lines without a verdict. */
  differences: Difference[];
}

export interface Judged {
  /** Which attempt it is about, where it is one. */
  attempt?: { run: string; caseId: string; trial: number; attempt: number };
  verdict: Grade['verdict'];
  reasoning: string;
  cost?: Grade['cost'];
}

interface JudgedLine extends Judged {
  /** In the file, from 1. */
  line: number;
  label: 'pass' | 'fail';
}
export type Difference = Omit<JudgedLine, 'cost'>;

/** Characters of a reasoning in the list of differences. */
const REASONING = 2000;

export class CalibrationFold {
  readonly #judges = new Map<string | null, JudgeFold>();

  add(judge: string | null, judged: JudgedLine): void {
    this.#of(judge).add(judged);
  }

  /** A case that could not be carried out: there is nothing to judge. */
  leaveOut(judge: string | null): void {
    this.#of(judge).leaveOut();
  }

  result(grader: string, about?: string): Calibration {
    const judges = [...this.#judges].map(([judge, fold]) => fold.result(judge));
    return { format: 'waymark.calibration.v1', grader, ...(about === undefined ? {} : { about }), judges };
  }

  #of(judge: string | null): JudgeFold {
    const fold = this.#judges.get(judge) ?? new JudgeFold();
    this.#judges.set(judge, fold);
    return fold;
  }
}

class JudgeFold {
  #rows = 0;
  #notExecutable = 0;
  readonly #agreement = new AgreementFold();
  readonly #cost = new GradeCostFold();
  readonly #differences: Difference[] = [];

  add({ line, attempt, label, verdict, reasoning, cost }: JudgedLine): void {
    this.#rows++;
    this.#agreement.add(label, verdict);
    this.#cost.add(cost);
    if (verdict === label) return;
    const of = attempt === undefined ? {} : { attempt };
    this.#differences.push({ line, ...of, label, verdict, reasoning: reasoning.slice(0, REASONING).toWellFormed() });
  }

  leaveOut(): void {
    this.#rows++;
    this.#notExecutable++;
  }

  result(judge: string | null): JudgeCalibration {
    const cost = this.#cost.sum();
    return {
      judge,
      rows: this.#rows,
      notExecutable: this.#notExecutable,
      ...this.#agreement.result(),
      ...(cost ? { cost } : {}),
      differences: this.#differences,
    };
  }
}
