/** opencode: chat completions. */
import { z } from 'zod';
import type { Preset } from '../preset.ts';

const said = z.looseObject({ type: z.literal('text'), part: z.looseObject({ text: z.string() }) });
const failed = z.looseObject({ type: z.literal('error'), error: z.unknown() });

export const opencode: Preset = {
  name: 'opencode',
  package: 'opencode-ai 1.18.33',
  command: 'opencode',
  keyVariable: 'OPENAI_API_KEY',
  speaks: 'OpenAI chat completions',
  needsModel: true,
  toolsOff: ['all of its own'],
  toolsLeft: [],
  args: ({ model }) => ['run', '--format', 'json', '-m', `given/${model}`, '{goal}'],
  files: ({ mcpUrl, mcpToken, model, baseUrl }) => ({
    'opencode.json': {
      provider: {
        given: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: baseUrl ?? 'https://api.openai.com/v1', apiKey: '{env:OPENAI_API_KEY}' },
          models: { [model]: { name: model } },
        },
      },
      // It asks this one for a title.
      small_model: `given/${model}`,
      mcp: {
        browser: {
          type: 'remote',
          url: mcpUrl,
          oauth: false,
          headers: { Authorization: `Bearer ${mcpToken}` },
        },
      },
      tools: { '*': false, 'browser_*': true },
      share: 'disabled',
      autoupdate: false,
    },
  }),
  env: ({ home }) => ({
    OPENCODE_CONFIG: `${home}/opencode.json`,
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
  }),
  read: (reading, event) => {
    const message = said.safeParse(event);
    if (message.success) return { answer: message.data.part.text };
    const failure = failed.safeParse(event);
    return failure.success ? { ...reading, error: JSON.stringify(failure.data.error) } : reading;
  },
};
