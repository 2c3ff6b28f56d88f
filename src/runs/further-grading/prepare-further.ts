/** The graders of a request and the model that judges, ready to grade. Everything that can't be used is said here, before anything is graded. */
import { WaymarkError } from '../../errors/index.ts';
import { type Grader, JudgeBudget, type JudgeLimits, judgeModel, makeGrader, withVotes } from '../../graders/index.ts';
import { type CallContext, CallFailure, type OpenedModel, openModel, type ProviderSlots } from '../../models/index.ts';
import { callableProvider, providerRef, type Queryable } from '../../store/index.ts';
import type { GradeRunOptions } from '../graders/grade-run.ts';
import { refuseUnknownPrice } from '../open-judge.ts';
import type { FurtherRequest } from './further-request.ts';

export interface FurtherContext {
  readonly db: Queryable;
  /** For the calls of the judge. */
  readonly context: CallContext;
  /** Shared with everything else that calls the same providers. */
  readonly slots?: ProviderSlots | undefined;
  /** What an earlier worker of the same grading has used. */
  readonly used?: { readonly calls: number; readonly usd: number } | undefined;
}

export interface PreparedFurther extends Pick<GradeRunOptions, 'judge'> {
  readonly graders: readonly Grader[];
}

export async function prepareFurther(request: FurtherRequest, about: FurtherContext): Promise<PreparedFurther> {
  // None of the graders that a server takes names a file.
  const made = await Promise.all(request.graders.map((spec) => makeGrader(spec, { folder: '.' })));
  const graders = made.map((grader) => withVotes(grader, request.votes ?? 1));
  if (!request.judge) {
    const asking = graders.filter(({ needsModel }) => needsModel).map(({ name }) => name);
    if (asking.length === 0) return { graders };
    throw new WaymarkError({
      code: 'judge_required',
      message: `${asking.join(' and ')} can't grade without a model, and no judge is chosen.`,
      hint: 'Choose an API provider and a model as judge.',
    });
  }
  const model = await openedJudge(request.judge, about);
  const limits = limitsOf(request, about.used);
  await refuseUnknownPrice(model, limits);
  const judges = judgeModel(model, new JudgeBudget(limits));
  const { provider_id } = request.judge;
  const { slots } = about;
  return {
    graders,
    judge: (keep) => {
      const judge = judges.forGrade(keep);
      if (!slots) return judge;
      return {
        model: judge.model,
        get cost() {
          return judge.cost;
        },
        ask: (asked, signal) => slots.use(provider_id, signal, () => judge.ask(asked, signal)),
      };
    },
  };
}

async function openedJudge(
  { provider_id, model }: NonNullable<FurtherRequest['judge']>,
  { db, context }: FurtherContext,
): Promise<OpenedModel> {
  const known = await providerRef(db, provider_id);
  if (known?.surface !== 'api') throw invalid(`There is no API provider ${provider_id}.`);
  if (model.trim() === '') throw new WaymarkError({ code: 'judge_model_missing', message: 'The judge has no model.' });
  try {
    return await openModel({ ...(await callableProvider(db, known.id)), model }, context);
  } catch (cause) {
    if (!(cause instanceof CallFailure)) throw cause;
    throw invalid(`The judge can't be asked: ${cause.message}`, cause);
  }
}

function limitsOf({ max_calls, max_cost_usd }: FurtherRequest, used = { calls: 0, usd: 0 }): Partial<JudgeLimits> {
  return {
    ...(max_calls === undefined ? {} : { maxCalls: Math.max(0, max_calls - used.calls) }),
    ...(max_cost_usd === undefined ? {} : { maxUsd: Math.max(0, max_cost_usd - used.usd) }),
  };
}

function invalid(message: string, cause?: unknown): WaymarkError {
  return new WaymarkError({ code: 'judge_provider_invalid', message, ...(cause === undefined ? {} : { cause }) });
}
