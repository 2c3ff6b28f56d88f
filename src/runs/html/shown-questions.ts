/**
 * The questions that go into report.html: all of a small run; of a large one first those that did not pass or that graders differ about,
 * in the order of the plan.
 */
import { differencesIn } from '../../view/index.ts';
import { gradedQuestion, type QuestionResult } from '../question-result.ts';

const MOST = 1_000;
/** Characters of a prompt or an answer that are shown; the journal has all of them. */
const TEXT = 8_000;

export interface ShownQuestion {
  result: QuestionResult;
  /** Characters of the prompt and of the answer that are left out. */
  cut: { prompt: number; answer: number };
}

export class ShownQuestions {
  readonly #passed: [number, ShownQuestion][] = [];
  readonly #others: [number, ShownQuestion][] = [];
  #count = 0;

  add(result: QuestionResult): void {
    const isPlain = result.grade?.verdict === 'pass' && differencesIn(gradedQuestion(result)).length === 0;
    const kept = isPlain ? this.#passed : this.#others;
    if (kept.length < MOST) kept.push([this.#count, shortened(result)]);
    this.#count++;
  }

  selected(): { questions: ShownQuestion[]; leftOut: number } {
    const chosen = [...this.#others, ...this.#passed].slice(0, MOST).sort(([a], [b]) => a - b);
    return { questions: chosen.map(([, question]) => question), leftOut: this.#count - chosen.length };
  }
}

function shortened(result: QuestionResult): ShownQuestion {
  const { prompt, answer } = result;
  return {
    result: { ...result, prompt: prompt?.slice(0, TEXT) ?? null, answer: answer?.slice(0, TEXT) ?? null },
    cut: {
      prompt: Math.max(0, (prompt?.length ?? 0) - TEXT),
      answer: Math.max(0, (answer?.length ?? 0) - TEXT),
    },
  };
}
