/** A model that a test writes as a function of what it was sent: for conversations that must be exact. */
import { MockLanguageModelV4 } from 'ai/test';
import { type OpenedModel, systemContext } from '../../src/models/index.ts';

type CallOptions = MockLanguageModelV4['doGenerateCalls'][number];

export interface MadeReply {
  text?: string;
  calls?: readonly { name: string; input?: unknown }[];
  finish?: 'stop' | 'length' | 'content-filter';
  /** Before it replies. */
  until?: Promise<unknown>;
}

export interface Asked {
  /** All texts that the model was sent, results of tools included. */
  text: string;
  /** Turns of this conversation before. */
  turns: number;
  tools: string[];
  options: CallOptions;
}

export interface MadeModel extends OpenedModel {
  asked: Asked[];
}

export function madeModel(reply: (asked: Asked) => MadeReply | Promise<MadeReply>, id = 'made'): MadeModel {
  const asked: Asked[] = [];
  let calls = 0;
  const languageModel = new MockLanguageModelV4({
    modelId: id,
    doGenerate: async (options) => {
      const { prompt, tools = [], abortSignal } = options;
      const now: Asked = {
        text: JSON.stringify(prompt),
        turns: prompt.filter(({ role }) => role === 'assistant').length,
        tools: tools.map(({ name }) => name),
        options,
      };
      asked.push(now);
      const { text, calls: made = [], finish = 'stop', until } = await reply(now);
      if (until) await Promise.race([until, aborted(abortSignal)]);
      return {
        content: [
          ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
          ...made.map(({ name, input = {} }) => ({
            type: 'tool-call' as const,
            toolCallId: `made-${++calls}`,
            toolName: name,
            input: typeof input === 'string' ? input : JSON.stringify(input),
          })),
        ],
        finishReason: { unified: made.length > 0 ? 'tool-calls' : finish, raw: undefined },
        usage: {
          inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 10, text: 10, reasoning: 0 },
          raw: { prompt_tokens: 100, completion_tokens: 10 },
        },
        warnings: [],
      };
    },
  });
  const context = systemContext(new AbortController().signal, () => []);
  return {
    kind: 'openai-compatible',
    id,
    baseUrl: 'http://127.0.0.1:9/v1',
    languageModel,
    context,
    hide: (text) => text,
    asked,
  };
}

/** Rejects when the call is aborted, as a real request does; never resolves where the reply is not waited for. */
function aborted(signal: AbortSignal | undefined): Promise<never> | undefined {
  return signal && new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}
