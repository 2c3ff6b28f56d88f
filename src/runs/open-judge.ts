/** Opens the model that judges a run: its key, its kind and its address are checked before anything is graded. */
import { WaymarkError } from '../errors/index.ts';
import { JudgeBudget, type JudgeLimits, type JudgeModel, judgeModel } from '../graders/index.ts';
import { isPriced, type ModelChoice, type OpenedModel } from '../models/index.ts';
import { type Environment, openRunModel } from './open-run-model.ts';

const LIMITS = { attempts: 3, timeoutMs: 120_000, maxRetryAfterMs: 30_000 };

export interface JudgeChoices {
  readonly env: Environment;
  /** What is not given has a default. */
  readonly limits?: Partial<JudgeLimits> | undefined;
}

/** @throws WaymarkError where the model can't be used, or where a cap on its cost was chosen that can't be enforced. */
export async function openJudge(
  choice: ModelChoice,
  { env, limits = {} }: JudgeChoices,
): Promise<{ readonly judges: JudgeModel; readonly budget: JudgeBudget }> {
  const model = await openRunModel(choice, env, LIMITS);
  await refuseUnknownPrice(model, limits);
  const budget = new JudgeBudget(limits);
  return { judges: judgeModel(model, budget), budget };
}

/** A cap on the cost of a model can't be enforced where its price is unknown. */
export async function refuseUnknownPrice(model: OpenedModel, { maxUsd }: Partial<JudgeLimits>): Promise<void> {
  if (maxUsd !== undefined && !(await isPriced(model)))
    throw new WaymarkError({
      code: 'usage_bad_value',
      message: `The price of ${model.kind}:${model.id} is not known, so that a cap on the cost of judging can't be enforced. Nothing was graded.`,
      hint: 'Cap the number of calls instead.',
    });
}
