/**
 * An attempt as OpenTelemetry spans, in the words of the GenAI conventions: `invoke_agent` for the attempt, `chat` for a call of a model,
 * `execute_tool` for a call of a tool. What was said, called and answered is left out unless it is asked for. Ids are hashes of what they name:
 * an export that is sent again gives the same spans.
 */
import { createHash } from 'node:crypto';
import type { EpisodeTaskSpec } from '../../cases/index.ts';
import type { EventOf, JournalEvent } from '../../events/index.ts';
import type { ExportedAttempt } from './exported-attempts.ts';

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** 1 internal, 3 client. */
  kind: 1 | 3;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  events?: { timeUnixNano: string; name: string; attributes: Attribute[] }[];
  /** 0 unset, 1 ok, 2 error. */
  status: { code: 0 | 1 | 2; message?: string };
}

export interface Attribute {
  key: string;
  value: { stringValue: string } | { intValue: string } | { doubleValue: number } | { boolValue: boolean } | ListValue;
}
type ListValue = { arrayValue: { values: { stringValue: string }[] } };

export interface SpanOptions {
  /** Also what was asked, said, called and answered. */
  content: boolean;
}

export function attemptSpans(attempt: ExportedAttempt, options: SpanOptions): Span[] {
  const { start, result, events } = attempt;
  const traceId = hash(start.runId, 32);
  const idOf = (what: string): string =>
    hash(`${start.runId} ${start.taskId} ${start.trial} ${start.attempt} ${what}`, 16);
  const root = idOf('attempt');
  const last = events.at(-1) ?? start;
  const { usage } = result;
  const isFault = !result.success && result.interrupted !== true;
  const span: Span = {
    traceId,
    spanId: root,
    name: `invoke_agent ${start.agent.name ?? start.agent.kind}`,
    kind: 1,
    startTimeUnixNano: nanos(start.time),
    endTimeUnixNano: nanos(last.time),
    attributes: attributes({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': start.agent.name ?? start.agent.kind,
      'gen_ai.agent.version': start.environment.waymark,
      'gen_ai.conversation.id': `${start.runId}/${start.taskId}/trial-${start.trial}/attempt-${start.attempt}`,
      'gen_ai.usage.input_tokens': usage?.inputTokens ?? undefined,
      'gen_ai.usage.output_tokens': usage?.outputTokens ?? undefined,
      'gen_ai.usage.cache_read.input_tokens': usage?.cachedInputTokens ?? undefined,
      ...(isFault ? { 'error.type': result.outcome } : {}),
      'waymark.run.id': start.runId,
      'waymark.task.id': start.taskId,
      'waymark.trial': start.trial,
      'waymark.attempt': start.attempt,
      'waymark.status': result.status,
      'waymark.outcome': result.outcome,
      'waymark.success': result.success,
      'waymark.steps': result.steps,
      'waymark.cost.usd': usage?.costUsd ?? undefined,
      'waymark.server.name': start.server.name,
      'waymark.browser': start.environment.browser?.product,
      ...(options.content ? { 'waymark.task.goal': (start.task as EpisodeTaskSpec).goal } : {}),
    }),
    events: evaluations(attempt, last.time),
    status: result.success ? { code: 1 } : isFault ? { code: 2, message: result.reason } : { code: 0 },
  };
  const under = { traceId, parentSpanId: root };
  return [span, ...toolSpans(events, under, idOf, options), ...chatSpans(events, under, idOf)];
}

type Under = Pick<Span, 'traceId'> & { parentSpanId: string };

function toolSpans(
  events: readonly JournalEvent[],
  under: Under,
  idOf: (what: string) => string,
  { content }: SpanOptions,
): Span[] {
  const results = new Map(events.flatMap((event) => (event.type === 'tool_result' ? [[event.callId, event]] : [])));
  const calls = events.filter((event): event is EventOf<'tool_call'> => event.type === 'tool_call');
  return calls.map((call) => {
    const result = results.get(call.callId);
    const isError = result?.isError === true || result?.aborted === true;
    return {
      ...under,
      spanId: idOf(`call ${call.seq}`),
      name: `execute_tool ${call.tool}`,
      kind: 1,
      startTimeUnixNano: nanos(call.time),
      endTimeUnixNano: nanos(result?.time ?? call.time),
      attributes: attributes({
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': call.tool,
        'gen_ai.tool.type': 'extension',
        'gen_ai.tool.call.id': call.callId,
        'mcp.method.name': 'tools/call',
        ...(isError ? { 'error.type': result?.aborted ? 'aborted' : (result?.errorKind ?? 'tool_error') } : {}),
        'waymark.step': call.step === 0 ? undefined : call.step,
        'waymark.by': call.by,
        'waymark.executor.id': call.executorId,
        ...(content
          ? {
              'gen_ai.tool.call.arguments': JSON.stringify(call.arguments ?? {}),
              'gen_ai.tool.call.result': result?.text,
            }
          : {}),
      }),
      status: isError ? { code: 2 } : { code: 0 },
    };
  });
}

/** A call of a model is known by what it used; it took as long as the turn that it ended, where the agent says when that began. */
function chatSpans(events: readonly JournalEvent[], under: Under, idOf: (what: string) => string): Span[] {
  let began: number | undefined;
  return events.flatMap((event): Span[] => {
    if (event.type === 'turn' && event.phase === 'start') began = event.time;
    if (event.type !== 'usage') return [];
    const from = began ?? event.time;
    began = undefined;
    return [
      {
        ...under,
        spanId: idOf(`usage ${event.seq}`),
        name: `chat ${event.model}`,
        kind: 3,
        startTimeUnixNano: nanos(from),
        endTimeUnixNano: nanos(event.time),
        attributes: attributes({
          'gen_ai.operation.name': 'chat',
          'gen_ai.response.model': event.model,
          'gen_ai.usage.input_tokens': event.inputTokens,
          'gen_ai.usage.output_tokens': event.outputTokens,
          'gen_ai.usage.cache_read.input_tokens': event.cachedInputTokens,
          'gen_ai.usage.reasoning.output_tokens': event.reasoningTokens,
          'waymark.cost.usd': event.costUsd,
          'waymark.role': event.role,
          'waymark.executor.id': event.executorId,
        }),
        status: { code: 0 },
      },
    ];
  });
}

/** The contract's verdict, and what each grader says. */
function evaluations({ result }: ExportedAttempt, time: number): NonNullable<Span['events']> {
  const contract = { name: 'contract', label: result.finalVerdict, score: undefined, reasoning: result.reason };
  const grades = (result.grades ?? []).map(({ grader, verdict, score, reasoning }) => ({
    name: grader,
    label: verdict,
    score: score ?? undefined,
    reasoning,
  }));
  return [contract, ...grades].map(({ name, label, score, reasoning }) => ({
    timeUnixNano: nanos(time),
    name: 'gen_ai.evaluation.result',
    attributes: attributes({
      'gen_ai.evaluation.name': name,
      'gen_ai.evaluation.score.label': label,
      'gen_ai.evaluation.score.value': score,
      'gen_ai.evaluation.explanation': reasoning,
    }),
  }));
}

function attributes(of: Readonly<Record<string, string | number | boolean | undefined>>): Attribute[] {
  return Object.entries(of).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: asValue(value) }]));
}

function asValue(value: string | number | boolean): Attribute['value'] {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** A journal's times are milliseconds, some with a fraction. */
function nanos(ms: number): string {
  return `${Math.round(ms * 1000)}000`;
}

function hash(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}
