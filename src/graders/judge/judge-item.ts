/** Grades one response by a model. Always ends in a verdict: a failure is the verdict `error` with its reason, never a damaged run. */
import { sumUsage } from '../../events/index.ts';
import type { ApiProvider, CallContext, GenerateRequest, Generation } from '../../models/index.ts';
import { CallFailure, openModel } from '../../models/index.ts';
import type { CheckResult } from '../answer/check-result.ts';
import { askModel } from './ask-model.ts';
import { GIVEN_AWAY } from './canary.ts';
import { type JudgeQuestion, judgePrompt, PROMPT_VERSION, REASK, VERDICT_FORMAT } from './judge-prompt.ts';
import { parseVerdict, type Verdict } from './parse-verdict.ts';

export interface JudgeProvider extends ApiProvider {
  readonly model: string;
  /** Instructions beside the built-in ones. */
  readonly prompt: string;
}

export interface JudgeRecord {
  readonly provider_id: string;
  readonly model: string;
  /** Of the built-in prompt. Verdicts of version 1 were stored without it. */
  readonly prompt_version: string;
  /** As the endpoint names it. */
  readonly replied_as: string | null;
  readonly reason: string | null;
  /** The beginning of what the model said last. What an endpoint sent that is no reply of a model is not kept: it may be any page that the server can reach. */
  readonly raw: string | null;
  /** HTTP calls, retries and the second question included. */
  readonly calls: number;
  readonly reasked: boolean;
  /** Over all replies; null where one of them did not say. */
  readonly prompt_tokens: number | null;
  readonly cached_tokens: number | null;
  readonly completion_tokens: number | null;
  readonly reasoning_tokens: number | null;
  readonly cost_usd: number | null;
  /** The table that the cost was computed with, and its version. */
  readonly price_table: string | null;
  readonly latency_ms: number;
}

export interface JudgeResult extends CheckResult {
  readonly judge: JudgeRecord;
}

const MAX_RAW = 4000;

export async function judgeItem(
  question: JudgeQuestion,
  provider: JudgeProvider,
  context: CallContext,
): Promise<JudgeResult> {
  const { instructions, question: asked, canary } = judgePrompt(question, provider.prompt);
  const replies: Generation[] = [];
  let verdict: Verdict | undefined;
  let isHijacked = false;
  try {
    const model = await openModel(provider, context);
    const messages: Message[] = [{ role: 'user', content: asked }];
    for (const more of [() => [], () => again(replies.at(-1))]) {
      const reply = await askModel(model, {
        instructions,
        messages: [...messages, ...more()],
        temperature: 0,
        format: VERDICT_FORMAT,
      });
      replies.push(reply);
      isHijacked = canary.isGivenAway(reply.text);
      verdict = isHijacked ? undefined : parseVerdict(reply.text);
      if (verdict || isHijacked) break;
    }
  } catch (thrown) {
    if (!(thrown instanceof CallFailure)) throw thrown;
    const reason = `The judge could not be asked: ${thrown.message}`;
    return { ...error(reason), judge: record(provider, replies, { calls: thrown.attempts }) };
  }
  const judge = record(provider, replies, { reason: verdict?.reason });
  if (isHijacked) return { ...error(GIVEN_AWAY), judge };
  if (!verdict) return { ...error("The judge's reply could not be read, and neither could its second one."), judge };
  if (verdict.score === null) return { ...error(`The judge can't tell: ${verdict.reason}`), judge };
  return {
    value: verdict.score,
    verdict: verdict.score === 1 ? 'pass' : 'fail',
    detail: { reason: verdict.reason },
    judge,
  };
}

type Message = GenerateRequest['messages'][number];

function again(unreadable: Generation | undefined): Message[] {
  return [
    // Some providers refuse a message without text.
    { role: 'assistant', content: unreadable?.text.slice(0, MAX_RAW) || '(no text)' },
    { role: 'user', content: REASK },
  ];
}

function error(reason: string): CheckResult {
  return { value: null, verdict: 'error', detail: { reason } };
}

function record(
  { id, model }: JudgeProvider,
  replies: readonly Generation[],
  about: { reason?: string | undefined; calls?: number },
): JudgeRecord {
  const last = replies.at(-1);
  const sum = (of: (reply: Generation) => number): number => replies.reduce((total, reply) => total + of(reply), 0);
  const usage = sumUsage(replies.map((reply) => reply.usage));
  const raw = last?.text;
  return {
    provider_id: id,
    model,
    prompt_version: PROMPT_VERSION,
    replied_as: last?.repliedAs ?? null,
    reason: about.reason ?? null,
    raw: raw === undefined ? null : raw.slice(0, MAX_RAW).toWellFormed().replaceAll('\0', '\uFFFD'),
    calls: sum(({ attempts }) => attempts) + (about.calls ?? 0),
    reasked: replies.length > 1 || (replies.length === 1 && about.calls !== undefined),
    prompt_tokens: usage?.inputTokens ?? null,
    cached_tokens: usage?.cachedInputTokens ?? null,
    completion_tokens: usage?.outputTokens ?? null,
    reasoning_tokens: usage?.reasoningTokens ?? null,
    cost_usd: usage?.costUsd ?? null,
    price_table: usage?.priceTable ?? null,
    latency_ms: sum(({ latencyMs }) => latencyMs),
  };
}
