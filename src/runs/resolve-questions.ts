/** A run of questions: items of a dataset, a model that is asked, and a judge where one is chosen. All of it is checked here, before anything is asked. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Dataset, type Item, readDataset } from '../cases/index.ts';
import { messageOf, type Warning, WaymarkError } from '../errors/index.ts';
import type { RunPlan } from '../events/index.ts';
import type { JudgeProvider } from '../graders/index.ts';
import { type ModelChoice, providerOf } from '../models/index.ts';
import { chooseQuestions } from './answers/choose-questions.ts';
import { DEFAULT_CONCURRENCY } from './answers/launch-request.ts';
import { modelVariant, questionPlan } from './answers/question-plan.ts';
import { FOR_RUN } from './answers/select-items.ts';
import type { AskedModel } from './ask-question.ts';
import type { GradingChoices, PreparedGrading } from './graders/prepare-grading.ts';
import { resolveGrading } from './graders/resolve-grading.ts';

export interface QuestionChoices {
  /** A file: JSONL, or a bundle (`*.eval752.zip`). */
  readonly dataset: string;
  readonly model: ModelChoice;
  readonly params?: AskedModel['params'] | undefined;
  /** Only these sections. */
  readonly sections?: readonly string[] | undefined;
  readonly maxItems?: number | undefined;
  /** Calls at once. */
  readonly concurrency?: number | undefined;
  /** Calls begun in a minute, retries included. */
  readonly requestsPerMinute?: number | undefined;
  /** Grades what no checker can. */
  readonly judge?: ModelChoice | undefined;
  /** Beside the checkers and the judge: names, files or graders, as `waymark grade` takes them; and who judges. */
  readonly grading?: GradingChoices | undefined;
  readonly experiment?: string | undefined;
  /** Where the keys are. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Of Waymark; part of the run's inputs. */
  readonly version: string;
  readonly now?: Date | undefined;
}

export interface QuestionRun {
  readonly kind: 'questions';
  readonly plan: RunPlan;
  /** Those at hand. Of a stored run there are none: each claim brings its own. */
  readonly items: ReadonlyMap<string, Item>;
  readonly asked: AskedModel;
  readonly judge: JudgeProvider | undefined;
  readonly concurrency: number;
  readonly requestsPerMinute: number | null | undefined;
  /** What is to be known about the items before they are asked. */
  readonly warnings: readonly Warning[];
  /** By graders beside the checkers and the judge of the questions; undefined where none was asked for. */
  readonly grading: PreparedGrading | undefined;
}

export async function resolveQuestions(choices: QuestionChoices): Promise<QuestionRun> {
  const { model, judge, params = {}, env = {}, now = new Date() } = choices;
  const provider = providerOf(model, env);
  const judgeProvider = judge && { ...providerOf(judge, env), model: judge.model, prompt: '' };
  const dataset = await loadDataset(choices.dataset);
  const scope = { sections: choices.sections, max_items: choices.maxItems };
  const { items, needJudge, warnings } = chooseQuestions(dataset, scope, FOR_RUN, { hasJudge: judge !== undefined });
  const asked = { provider, model: model.model, params };
  const { version, experiment } = choices;
  return {
    kind: 'questions',
    plan: questionPlan({ dataset, items, variant: modelVariant(asked), version, experiment, now }),
    items: new Map(items.map((item) => [item.id, item])),
    asked,
    judge: judgeProvider,
    concurrency: choices.concurrency ?? DEFAULT_CONCURRENCY,
    requestsPerMinute: choices.requestsPerMinute,
    grading: await resolveGrading(
      items.map(({ id }) => ({ id, folder: path.dirname(choices.dataset) })),
      choices.grading,
      env,
    ),
    warnings: needJudge.length > 0 && judge === undefined ? [...warnings, noJudge(needJudge.length)] : warnings,
  };
}

async function loadDataset(file: string): Promise<Dataset> {
  const { report, name = path.basename(file).replace(/\.jsonl$/, '') } = await readDataset(bytesOf(file));
  const { problems, items, version_hash } = report;
  if (problems.length > 0) {
    const [first] = problems;
    throw new WaymarkError({
      code: 'dataset_invalid',
      message: `${problems.length} of the ${report.lines} lines of ${file} are no questions. Line ${first?.line}: ${first?.message}`,
      issues: problems.map(({ line, code, message, item_id }) => ({ path: `line ${line}`, code, message, item_id })),
      hint: 'docs/how-to/ask-a-model.md shows items of each kind.',
    });
  }
  return { id: name, name, version_hash, items };
}

function bytesOf(file: string): Buffer {
  try {
    if (statSync(file).isDirectory())
      throw new WaymarkError({
        code: 'usage_no_such_file',
        message: `${file} is a folder; a dataset is one file.`,
        hint: 'With --model, waymark run takes a dataset: a .jsonl file or an .eval752.zip bundle.',
      });
    return readFileSync(file);
  } catch (cause) {
    if (cause instanceof WaymarkError) throw cause;
    throw new WaymarkError({
      code: 'usage_no_such_file',
      message: `The dataset ${file} can't be read: ${messageOf(cause)}.`,
      hint: 'For a dataset of a Waymark server, give its address with --api.',
      cause,
    });
  }
}

function noJudge(count: number): Warning {
  return {
    code: 'judge_missing',
    message: `${count === 1 ? '1 item' : `${count} items`} can only be scored by a judge, and none is chosen: asked, not scored.`,
  };
}
