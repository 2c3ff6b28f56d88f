/** The report of a run of questions, folded from its results one after the other. */
import type { Variant } from '../events/index.ts';
import { type Interval, type RunStatistics, runStatistics, type SampledTrial } from '../metrics/index.ts';
import { GraderFold, type GraderSummary } from '../view/index.ts';
import type { RunFile } from './folder/run-file.ts';
import { type GradeGroup, summariseGroups } from './grading/summarise.ts';
import { gradedQuestion, type QuestionResult } from './question-result.ts';
import { WarningFold } from './run-warnings.ts';
import { sampledQuestion } from './sampled-trial.ts';

export interface QuestionReport extends QuestionReportHead {
  items: QuestionResult[];
}

/** Everything but the list. */
export interface QuestionReportHead {
  runId: string;
  startedAt: string;
  endedAt: string;
  durationMs: number;
  format: 'waymark.questions.v1';
  dataset: { name: string; hash: string };
  model: { kind: string; id: string; baseUrl: string | null; params: Readonly<Record<string, unknown>> };
  summary: QuestionSummary;
  usage: Usage;
  /** Of the judge; null where none was asked. */
  judgeUsage: Usage | null;
  /** What providers had to say about calls, each once, with the number of items that it is about. */
  warnings: { message: string; items: number }[];
}

export interface QuestionSummary extends Accuracy {
  answered: number;
  errors: number;
  /** Never asked, or cut off. */
  missing: number;
  /** Items whose score is still to come: the judge failed, or there was none. */
  notScored: number;
  verdicts: Readonly<Record<'pass' | 'fail' | 'error' | 'skipped' | 'unscored', number>>;
  sections: (Accuracy & { section: string })[];
  /** Side by side, and how far each agrees with the one that decides; absent where there are no further graders. */
  graders?: GraderSummary[];
  statistics: RunStatistics;
}

/** Accuracy over what was scored, always beside how much that is. */
export interface Accuracy {
  total: number;
  scored: number;
  /** Of all items; null where there are none. */
  coverage: number | null;
  passed: number;
  /** Of the scored ones; null where there are none. */
  accuracy: number | null;
  /** Wilson, 95 %. */
  interval: Interval;
  /** Mean of the scores: sets that are partly right count in part. */
  meanScore: number | null;
}

/** Null: at least one call did not say. */
export interface Usage {
  inputTokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
}

/** Where items stand that were never asked: their section is in no journal. */
const NOT_ASKED = '(not asked)';

export class QuestionFold {
  readonly #groups = new Map<string, { -readonly [K in keyof GradeGroup]: GradeGroup[K] }>();
  readonly #usage = new UsageFold();
  readonly #judgeUsage = new UsageFold();
  readonly #warnings = new WarningFold();
  readonly #graders = new GraderFold();
  readonly #trials: SampledTrial[] = [];
  readonly #counts = { answered: 0, errors: 0, missing: 0, notScored: 0 };

  add(result: QuestionResult, trial: number): void {
    this.#trials.push(sampledQuestion(result, trial));
    const { id, section, status, grade, inputTokens, outputTokens, costUsd, judgeTokens, warnings } = result;
    this.#warnings.add({ taskId: id, warnings });
    this.#graders.add(gradedQuestion(result));
    this.#counts[status === 'error' ? 'errors' : status]++;
    const verdict = grade?.verdict ?? null;
    if (status === 'answered' && isNotScored(grade)) this.#counts.notScored++;
    const key = JSON.stringify([section, verdict]);
    const group = this.#groups.get(key) ?? { section: section ?? NOT_ASKED, verdict, items: 0, value: 0 };
    group.items++;
    group.value += grade?.score ?? 0;
    this.#groups.set(key, group);
    if (status === 'answered') this.#usage.add({ inputTokens, outputTokens, costUsd });
    if (judgeTokens)
      this.#judgeUsage.add({
        inputTokens: judgeTokens.input,
        outputTokens: judgeTokens.output,
        costUsd: judgeTokens.costUsd,
      });
  }

  head({ plan, endedAt }: Pick<RunFile, 'plan' | 'endedAt'>): QuestionReportHead {
    const startedAt = new Date(plan.createdAt);
    const ended = endedAt === undefined ? startedAt : new Date(endedAt);
    return {
      runId: plan.runId,
      startedAt: startedAt.toISOString(),
      endedAt: ended.toISOString(),
      durationMs: ended.getTime() - startedAt.getTime(),
      format: 'waymark.questions.v1',
      dataset: plan.suite,
      model: modelOf(plan.variant),
      summary: this.#summary(),
      usage: this.#usage.sum() ?? { inputTokens: null, outputTokens: null, costUsd: null },
      judgeUsage: this.#judgeUsage.sum(),
      warnings: this.#warnings.list().map(({ text, taskIds }) => ({ message: text, items: taskIds.length })),
    };
  }

  #summary(): QuestionSummary {
    const { mean_value, sections, verdicts, ...rest } = summariseGroups([...this.#groups.values()]);
    const graders = this.#graders.summary();
    return {
      ...rest,
      meanScore: mean_value,
      ...this.#counts,
      verdicts,
      sections: sections.map(({ mean_value: mean, ...section }) => ({ ...section, meanScore: mean })),
      ...(graders ? { graders } : {}),
      statistics: runStatistics(this.#trials, { withTimes: true }),
    };
  }
}

/** An item that can't be scored by anything (`none`) lacks no score. */
function isNotScored(grade: QuestionResult['grade']): boolean {
  if (!grade) return true;
  return grade.verdict === 'error' || (grade.verdict === 'skipped' && grade.grader === 'judge');
}

function modelOf(variant: Variant): QuestionReportHead['model'] {
  if (variant.kind !== 'model') return { kind: variant.kind, id: '', baseUrl: null, params: {} };
  const { provider, model, params = {} } = variant;
  return { kind: provider.kind, id: model, baseUrl: provider.baseUrl ?? null, params };
}

class UsageFold {
  #sum: Usage | null = null;

  add(usage: Usage): void {
    const before = this.#sum;
    const plus = (name: keyof Usage): number | null => {
      const [known, more] = [before ? before[name] : 0, usage[name]];
      return known === null || more === null ? null : known + more;
    };
    this.#sum = {
      inputTokens: plus('inputTokens'),
      outputTokens: plus('outputTokens'),
      costUsd: plus('costUsd'),
    };
  }

  /** Null where nothing was added. */
  sum(): Usage | null {
    return this.#sum;
  }
}
