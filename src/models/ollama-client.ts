/**
 * Ollama's chat over our own `fetch`, for `ai-sdk-ollama`. Its usual client passes no abort signal to a request that is not streamed, reads keys
 * from the environment, prints failures to the console, and believes any JSON to be a reply.
 */
import type { OllamaProviderSettings } from 'ai-sdk-ollama';
import { z } from 'zod';
import { CallFailure } from './call-failure.ts';

type OllamaClient = NonNullable<OllamaProviderSettings['client']>;

const replySchema = z.looseObject({
  message: z.looseObject({ content: z.string().nullish() }),
});

export interface OllamaOptions {
  readonly baseUrl: string;
  readonly key: string | undefined;
  readonly fetch: typeof fetch;
  readonly hide: (text: string) => string;
}

export function ollamaClient({ baseUrl, key, fetch, hide }: OllamaOptions): OllamaClient {
  const chat = async (request: object, options?: { signal?: AbortSignal }): Promise<unknown> => {
    const response = await fetch(`${baseUrl}/api/chat`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(request),
      ...(options?.signal ? { signal: options.signal } : {}),
    });
    return readReply(await response.text(), hide);
  };
  const refuse = (): Promise<never> => Promise.reject(new Error('Only chat is used of Ollama.'));
  // The client's type names ollama's classes and a streamed form; what is used of it is `chat` without a stream.
  return { chat, embed: refuse, webSearch: refuse, webFetch: refuse } as unknown as OllamaClient;
}

function readReply(body: string, hide: (text: string) => string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new CallFailure('bad_reply', 'The endpoint replied with something that is not JSON.', { raw: hide(body) });
  }
  const parsed = replySchema.safeParse(value);
  if (!parsed.success) {
    throw new CallFailure('bad_reply', 'The endpoint replied with JSON that is not a chat reply.', { raw: hide(body) });
  }
  return parsed.data;
}
