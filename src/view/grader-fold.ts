/** The graders of a run side by side: how often each said what, and how far it agrees with the one that decides. Nothing is averaged. */
import type { GradeVerdict } from '../events/index.ts';
import { type Agreement, AgreementFold, type Share, shareOf } from '../metrics/index.ts';
import { GradeCostFold, type GradeCosts } from './grade-costs.ts';
import { type GradedAttempt, type GradeView, hasFurtherGrades } from './graded-attempt.ts';

export interface GraderSummary {
  grader: string;
  /** Its verdict decides for so many attempts; absent where it decides for none. */
  decides?: number;
  /** The models that it asked, each once; absent where it asked none. */
  models?: string[];
  verdicts: Record<GradeVerdict, number>;
  /** Passes among passes and failures. */
  passRate: Share;
  /** The same with errors of the grader as attempts that did not pass. */
  passRateWithErrors: Share;
  cost?: GradeCosts;
  /** With the grader that decides, over the attempts that another one decides; absent where there is none. */
  agreement?: Agreement & { with: string[] };
}

export class GraderFold {
  readonly #graders = new Map<string, OneGrader>();
  #hasFurther = false;

  add(attempt: GradedAttempt): void {
    const { decidedBy, grades } = attempt;
    this.#hasFurther ||= hasFurtherGrades(attempt);
    const deciding = grades.find(({ grader }) => grader === decidedBy)?.verdict ?? 'skipped';
    for (const grade of grades) {
      const one = this.#graders.get(grade.grader) ?? new OneGrader(grade.grader);
      this.#graders.set(grade.grader, one);
      one.add(grade, { by: decidedBy, verdict: deciding });
    }
  }

  /** Those that decide come first. Undefined where no attempt has a grade beside the one that it has anyway. */
  summary(): GraderSummary[] | undefined {
    if (!this.#hasFurther) return undefined;
    const all = [...this.#graders.values()].map((one) => one.summary());
    return [...all.filter(({ decides }) => decides), ...all.filter(({ decides }) => !decides)];
  }
}

class OneGrader {
  readonly #grader: string;
  #decides = 0;
  readonly #models = new Set<string>();
  readonly #verdicts = { pass: 0, fail: 0, error: 0, skipped: 0 };
  readonly #cost = new GradeCostFold();
  readonly #agreement = new AgreementFold();
  readonly #others = new Set<string>();

  constructor(grader: string) {
    this.#grader = grader;
  }

  add({ verdict, model, cost }: GradeView, deciding: { by: string; verdict: GradeVerdict }): void {
    this.#verdicts[verdict]++;
    if (model !== undefined) this.#models.add(model);
    this.#cost.add(cost);
    if (deciding.by === this.#grader) this.#decides++;
    else {
      this.#others.add(deciding.by);
      this.#agreement.add(deciding.verdict, verdict);
    }
  }

  summary(): GraderSummary {
    const { pass, fail, error } = this.#verdicts;
    const cost = this.#cost.sum();
    return {
      grader: this.#grader,
      ...(this.#decides > 0 ? { decides: this.#decides } : {}),
      ...(this.#models.size > 0 ? { models: [...this.#models] } : {}),
      verdicts: { ...this.#verdicts },
      passRate: shareOf(pass, pass + fail),
      passRateWithErrors: shareOf(pass, pass + fail + error),
      ...(cost ? { cost } : {}),
      ...(this.#others.size > 0 ? { agreement: { with: [...this.#others], ...this.#agreement.result() } } : {}),
    };
  }
}
