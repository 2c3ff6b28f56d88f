/** Claude Code: Anthropic messages. */
import { z } from 'zod';
import { type Preset, withoutVersion } from '../preset.ts';

const last = z.looseObject({
  type: z.literal('result'),
  subtype: z.string().optional(),
  is_error: z.boolean().optional(),
  result: z.string().optional(),
  errors: z.array(z.unknown()).optional(),
});
const retry = z.looseObject({
  type: z.literal('system'),
  subtype: z.literal('api_retry'),
  attempt: z.number().optional(),
  error_status: z.number().nullish(),
  error: z.string().optional(),
});

export const claude: Preset = {
  name: 'claude',
  package: '@anthropic-ai/claude-code 2.1.325',
  command: 'claude',
  keyVariable: 'ANTHROPIC_API_KEY',
  speaks: 'Anthropic messages',
  needsModel: true,
  // `--tools ""` leaves the tools of MCP servers only.
  toolsOff: ['all of its own'],
  toolsLeft: [],
  args: ({ model }) => [
    '-p',
    '{goal}',
    '--bare',
    '--model',
    model,
    '--mcp-config',
    '{mcpConfig}',
    '--strict-mcp-config',
    '--tools',
    '',
    '--allowedTools',
    'mcp__browser',
    '--permission-mode',
    'dontAsk',
    '--output-format',
    'stream-json',
    '--verbose',
    '--no-session-persistence',
  ],
  files: () => ({}),
  env: ({ baseUrl }) => ({
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    ...(baseUrl === undefined ? {} : { ANTHROPIC_BASE_URL: withoutVersion(baseUrl) }),
  }),
  read: (reading, event) => {
    const retried = retry.safeParse(event);
    if (retried.success) {
      const { attempt, error_status: status, error = 'unknown' } = retried.data;
      return { ...reading, error: `request ${attempt ?? ''} failed with status ${status ?? 0} (${error})` };
    }
    const ended = last.safeParse(event);
    if (!ended.success) return reading;
    const { is_error: isError, subtype, result, errors } = ended.data;
    if (subtype === 'error_max_turns') return { exhausted: 'The agent used up its own limit of turns' };
    if (subtype === 'error_max_budget_usd') return { exhausted: 'The agent used up its own limit of cost' };
    if (isError === true) return { error: result ?? JSON.stringify(errors ?? subtype ?? 'unknown') };
    return result === undefined ? {} : { answer: result };
  },
};
