/** Models of every kind, opened as the product opens them, with the test model behind them. */
import { dynamicTool, jsonSchema } from 'ai';
import {
  type CallContext,
  type CallLimits,
  MODEL_KINDS,
  type OpenedModel,
  openModel,
  systemContext,
} from '../../src/models/index.ts';
import { pinnedFetch } from '../../src/net/index.ts';
import type { TestModel } from '../../src/test-model/index.ts';

export const KINDS = MODEL_KINDS;
export type Kind = (typeof KINDS)[number];
export const PROTOCOL_OF: Readonly<Record<Kind, string>> = {
  openai: 'responses',
  anthropic: 'messages',
  google: 'generate-content',
  'openai-compatible': 'chat-completions',
  ollama: 'ollama',
};
export const KEY = 'sk-test-key';
const LOOPBACK = [{ address: '127.0.0.1', family: 4 }];

/** OpenAI's own protocol is spoken only at OpenAI's own address: every address leads to the test model here. */
export function openKind(
  kind: Kind,
  model: string,
  server: TestModel,
  limits: Partial<CallLimits> = {},
  key = KEY,
): Promise<OpenedModel> {
  const context: CallContext = {
    ...systemContext(new AbortController().signal, () => LOOPBACK, { attempts: 1, timeoutMs: 20_000, ...limits }),
    env: { TEST_KEY: key },
    fetch: (url, request, addresses) => {
      const { pathname, search } = new URL(url);
      return pinnedFetch(`${server.url}${pathname}${search}`, request, addresses);
    },
  };
  const baseUrl = kind === 'openai-compatible' ? server.baseUrls[kind] : undefined;
  return openModel({ kind, model, baseUrl, keyEnv: 'TEST_KEY' }, context);
}

/** Enough of the embedded server's tools to be recognised. */
export const TOOLS = Object.fromEntries(
  ['read_page', 'navigate', 'interact', 'click_at', 'tabs_context'].map((name) => [
    name,
    dynamicTool({
      description: `The tool ${name}.`,
      inputSchema: jsonSchema({ type: 'object', properties: {} }),
      execute: undefined as never,
    }),
  ]),
);

/** One pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
