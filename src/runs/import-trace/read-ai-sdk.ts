/**
 * Stream events of the AI SDK (`ai`): the parts of `fullStream`, or the chunks of a UI message stream, one JSON object a line, in an array, or as
 * server-sent events. They name neither the agent nor what it was asked, and only the end of a step says when it was.
 */
import { z } from 'zod';
import { outputText, type Trace, type TracePart, Unmapped } from './trace-part.ts';

export const aiSdkPartSchema = z.looseObject({ type: z.string() });
type Part = z.infer<typeof aiSdkPartSchema>;

const count = z.int().min(0).nullish();
const usageSchema = z.looseObject({
  inputTokens: count,
  outputTokens: count,
  cachedInputTokens: count,
  reasoningTokens: count,
  inputTokenDetails: z.looseObject({ cacheReadTokens: count }).nullish(),
  outputTokenDetails: z.looseObject({ reasoningTokens: count }).nullish(),
});
const toolSchema = z.looseObject({ toolCallId: z.string().min(1), toolName: z.string().optional() });

/** They frame what other parts hold, or hold the same in pieces. */
const FRAMES = new Set([
  'start',
  'finish',
  'start-step',
  'text-start',
  'tool-input-start',
  'tool-input-delta',
  'tool-input-end',
  'reasoning-delta',
  'reasoning-end',
  'message-metadata',
  'ping',
]);

export function readAiSdk(parts: readonly Part[]): Trace {
  const fold = new AiSdkFold();
  for (const part of parts) fold.add(part);
  return fold.trace();
}

class AiSdkFold {
  readonly #parts: TracePart[] = [];
  readonly #unmapped = new Unmapped();
  /** Texts that are being streamed, by their id. */
  readonly #texts = new Map<string, string>();
  #failure: string | undefined;

  trace(): Trace {
    this.#endTexts();
    const failure = this.#failure === undefined ? {} : { failure: this.#failure };
    return { format: 'AI SDK stream', parts: this.#parts, unmapped: this.#unmapped, ...failure };
  }

  add(part: Part): void {
    switch (part.type) {
      case 'text-delta':
        this.#text(part);
        return;
      case 'text-end':
        this.#endTexts();
        return;
      case 'tool-call':
      case 'tool-input-available':
      case 'tool-input-error':
        this.#endTexts();
        this.#call(part);
        return;
      case 'tool-result':
      case 'tool-output-available':
        if (part['preliminary'] === true) this.#unmapped.count('a preliminary result');
        else this.#result(part, part['output'], false);
        return;
      case 'tool-error':
      case 'tool-output-error':
        this.#result(part, errorText(part['error'] ?? part['errorText']), true);
        return;
      case 'finish-step':
        this.#endTexts();
        this.#usage(part);
        return;
      case 'error':
      case 'abort':
        this.#endTexts();
        this.#fail(part);
        return;
      case 'reasoning-start':
        this.#unmapped.count('reasoning');
        return;
      default:
        if (!FRAMES.has(part.type)) this.#unmapped.count(`an event of the type ${part.type}`);
    }
  }

  #text(part: Part): void {
    const id = String(part['id'] ?? '');
    const text = part['text'] ?? part['delta'];
    if (typeof text === 'string') this.#texts.set(id, (this.#texts.get(id) ?? '') + text);
  }

  #endTexts(): void {
    for (const content of this.#texts.values())
      if (content.trim() !== '') this.#parts.push({ type: 'message', message: { type: 'assistant', content } });
    this.#texts.clear();
  }

  #call(part: Part): void {
    const tool = toolSchema.safeParse(part).data;
    if (!tool) return this.#unmapped.count(`an event of the type ${part.type} without a toolCallId`);
    const { toolCallId: id, toolName = 'unknown' } = tool;
    this.#parts.push({ type: 'call', id, tool: toolName, arguments: part['input'] });
    if (part.type === 'tool-input-error') this.#result(part, errorText(part['errorText']), true);
  }

  #result(part: Part, output: unknown, isError: boolean): void {
    const tool = toolSchema.safeParse(part).data;
    if (!tool) return this.#unmapped.count(`an event of the type ${part.type} without a toolCallId`);
    this.#parts.push({ type: 'result', id: tool.toolCallId, text: outputText(output, this.#unmapped), isError });
  }

  #usage(part: Part): void {
    const used = usageSchema.safeParse(part['usage']).data;
    if (!used) return;
    const { modelId, timestamp }: { modelId?: unknown; timestamp?: unknown } = Object(part['response']);
    const time = Date.parse(String(timestamp));
    const cached = used.inputTokenDetails?.cacheReadTokens ?? used.cachedInputTokens;
    const reasoning = used.outputTokenDetails?.reasoningTokens ?? used.reasoningTokens;
    this.#parts.push({
      type: 'usage',
      role: 'agent',
      model: typeof modelId === 'string' ? modelId : 'unknown',
      ...(used.inputTokens == null ? {} : { inputTokens: used.inputTokens }),
      ...(cached == null ? {} : { cachedInputTokens: cached }),
      ...(used.outputTokens == null ? {} : { outputTokens: used.outputTokens }),
      ...(reasoning == null ? {} : { reasoningTokens: reasoning }),
      ...(Number.isNaN(time) ? {} : { at: time }),
    });
  }

  #fail(part: Part): void {
    const content =
      part.type === 'abort'
        ? `The agent was aborted${part['reason'] === undefined ? '' : `: ${errorText(part['reason'])}`}`
        : errorText(part['error'] ?? part['errorText']);
    this.#failure = content;
    this.#parts.push({ type: 'message', message: { type: 'error', content, errorCode: part.type } });
  }
}

function errorText(error: unknown): string {
  if (typeof error === 'string') return error;
  const { message }: { message?: unknown } = Object(error);
  return typeof message === 'string' ? message : (JSON.stringify(error) ?? 'no reason was given');
}
