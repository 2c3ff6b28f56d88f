/** Scores one response by a model. Ends in a verdict always: what goes wrong is a verdict `error` with its detail, never a damaged run. */

import type { ApiProvider, CallContext } from '../../models/index.ts';
import { CallFailure, type ChatMessage, type ChatReply, completeChat } from '../../models/index.ts';
import type { CheckResult } from '../answer/check-result.ts';
import { type JudgeQuestion, judgeMessages, REASK, VERDICT_FORMAT } from './judge-prompt.ts';
import { parseVerdict, type Verdict } from './parse-verdict.ts';

export interface JudgeProvider extends ApiProvider {
  readonly model: string;
  /** Instructions beside the built-in ones. */
  readonly prompt: string;
}

export interface JudgeRecord {
  readonly provider_id: string;
  readonly model: string;
  /** As the endpoint names it. */
  readonly replied_as: string | null;
  readonly reason: string | null;
  /** The beginning of what it said last. */
  readonly raw: string | null;
  /** HTTP calls, retries and the second question included. */
  readonly calls: number;
  readonly reasked: boolean;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
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
  const messages = judgeMessages(question, provider.prompt);
  const replies: ChatReply[] = [];
  let verdict: Verdict | undefined;
  try {
    for (const ask of [messages, undefined]) {
      const reply = await askJudge(ask ?? [...messages, ...again(replies.at(-1))], provider, context);
      replies.push(reply);
      verdict = parseVerdict(reply.content);
      if (verdict) break;
    }
  } catch (thrown) {
    if (!(thrown instanceof CallFailure)) throw thrown;
    const reason = `The judge could not be asked: ${thrown.message}`;
    return { ...error(reason), judge: record(provider, replies, { calls: thrown.attempts, raw: thrown.raw }) };
  }
  const judge = record(provider, replies, { reason: verdict?.reason });
  if (!verdict) return { ...error("The judge's reply could not be read, and neither could its second one."), judge };
  return {
    value: verdict.score,
    verdict: verdict.score === 1 ? 'pass' : 'fail',
    detail: { reason: verdict.reason },
    judge,
  };
}

/** Some endpoints don't know structured output: those are asked without, the prompt says it all. */
async function askJudge(
  messages: readonly ChatMessage[],
  provider: JudgeProvider,
  context: CallContext,
): Promise<ChatReply> {
  const request = { model: provider.model, messages, temperature: 0 };
  try {
    return await completeChat(provider, { ...request, response_format: VERDICT_FORMAT }, context);
  } catch (thrown) {
    const isUnknown =
      thrown instanceof CallFailure &&
      thrown.code === 'refused' &&
      /response_format|json_schema/.test(thrown.raw ?? '');
    if (!isUnknown) throw thrown;
    const reply = await completeChat(provider, request, context);
    return { ...reply, attempts: reply.attempts + thrown.attempts };
  }
}

function again(unreadable: ChatReply | undefined): ChatMessage[] {
  return [
    { role: 'assistant', content: (unreadable?.content ?? '').slice(0, MAX_RAW) },
    { role: 'user', content: REASK },
  ];
}

function error(reason: string): CheckResult {
  return { value: null, verdict: 'error', detail: { reason } };
}

function record(
  { id, model }: JudgeProvider,
  replies: readonly ChatReply[],
  about: { reason?: string | undefined; raw?: string | undefined; calls?: number },
): JudgeRecord {
  const last = replies.at(-1);
  const sum = (of: (reply: ChatReply) => number): number => replies.reduce((total, reply) => total + of(reply), 0);
  const raw = about.raw ?? last?.content;
  return {
    provider_id: id,
    model,
    replied_as: last?.model ?? null,
    reason: about.reason ?? null,
    raw: raw === undefined ? null : raw.slice(0, MAX_RAW).toWellFormed().replaceAll('\0', '\uFFFD'),
    calls: sum(({ attempts }) => attempts) + (about.calls ?? 0),
    reasked: replies.length > 1 || (replies.length === 1 && about.calls !== undefined),
    prompt_tokens: sum(({ usage }) => usage?.prompt_tokens ?? 0),
    completion_tokens: sum(({ usage }) => usage?.completion_tokens ?? 0),
    latency_ms: sum(({ latency_ms }) => latency_ms),
  };
}
