/** A model that judges. Each grade asks through a judge of its own, which counts what the grade used and keeps every request with its reply. */
import { type Grade, type ModelUsage, sumUsage } from '../../events/index.ts';
import { CallFailure, type GenerateRequest, type OpenedModel } from '../../models/index.ts';
import { askModel, type OptionalParameter } from './ask-model.ts';
import { type Judge, JudgeProblem, type JudgeRequest } from './judge.ts';
import type { JudgeBudget } from './judge-budget.ts';
import { recordOf } from './judge-record.ts';
import { checkPicture } from './picture-size.ts';

/** What a grade used, as the grade records it. */
export type GradeCost = NonNullable<Grade['cost']>;

export interface GradeJudge extends Judge {
  /** So far. */
  readonly cost: GradeCost;
}

export interface JudgeModel {
  /** `kind:id`. */
  readonly name: string;
  /** @param keep Keeps a file with the grade: `judge-001.json` has the first request and its reply, and so on. */
  forGrade(keep: (name: string, content: string) => void): GradeJudge;
}

const MAX_OUTPUT_TOKENS = 8_000;

/**
 * @example
 * const judges = judgeModel(await openModel(choice, context), new JudgeBudget({ maxUsd: 5 }));
 * const judge = judges.forGrade(keep);
 * const reply = await judge.ask({ instructions, parts: ['Did the agent arrive?', picture] }, signal);
 */
export function judgeModel(model: OpenedModel, budget: JudgeBudget): JudgeModel {
  const name = `${model.kind}:${model.id}`;
  const refused = new Set<OptionalParameter>();
  return {
    name,
    forGrade(keep) {
      let requests = 0;
      let calls = 0;
      const usages: ModelUsage[] = [];
      const counted: OpenedModel = {
        ...model,
        context: {
          ...model.context,
          // Asked before every request, retries too: a cap is never exceeded by them.
          turn: async (signal) => {
            const { maxCallsPerGrade } = budget.limits;
            if (calls >= maxCallsPerGrade)
              throw new JudgeProblem(`The ${maxCallsPerGrade} calls that one grade may make are used up.`);
            budget.take();
            calls += 1;
            await model.context.turn?.(signal);
          },
        },
      };
      return {
        model: name,
        get cost() {
          return costOf(calls, usages);
        },
        async ask(request, signal) {
          requests += 1;
          const file = `judge-${String(requests).padStart(3, '0')}.json`;
          const sent = asSent(request);
          const reply = await askModel(counted, sent, signal, refused).catch((thrown: unknown) => {
            const problem = problemOf(thrown);
            keep(file, recordOf(name, { request, sent, refused }, { problem: problem.message }));
            throw problem;
          });
          usages.push(reply.usage);
          budget.charge(reply.usage);
          keep(file, recordOf(name, { request, sent, refused }, { reply }));
          if (reply.finishReason === 'length')
            throw new JudgeProblem(`The judge's reply was cut off after ${sent.maxOutputTokens} tokens.`);
          return reply.text;
        },
      };
    },
  };
}

function asSent({ instructions, parts, maxOutputTokens = MAX_OUTPUT_TOKENS, format }: JudgeRequest): GenerateRequest {
  const content = parts.map((part) => {
    if (typeof part === 'string') return { type: 'text' as const, text: part };
    checkPicture(part);
    return { type: 'file' as const, data: part.data, mediaType: part.mediaType };
  });
  return {
    instructions,
    messages: [{ role: 'user', content }],
    temperature: 0,
    maxOutputTokens,
    ...(format === undefined ? {} : { format }),
  };
}

/** @throws what is neither a failed call nor a used-up budget: the signal's reason, or a fault of ours. */
function problemOf(thrown: unknown): JudgeProblem {
  if (thrown instanceof JudgeProblem) return thrown;
  if (!(thrown instanceof CallFailure)) throw thrown;
  return new JudgeProblem(`The judge could not be asked: ${thrown.message}`, { cause: thrown });
}

function costOf(calls: number, usages: readonly ModelUsage[]): GradeCost {
  const { inputTokens, outputTokens, costUsd } = sumUsage(usages) ?? {};
  return {
    calls,
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(costUsd === undefined ? {} : { usd: costUsd }),
  };
}
