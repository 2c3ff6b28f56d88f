/** Gemini CLI: streamGenerateContent. */
import { z } from 'zod';
import { type Preset, withoutVersion } from '../preset.ts';

/** `tools.core: []` would remove the tools of MCP servers too, so that each own tool is named. */
const OWN_TOOLS = [
  'list_directory',
  'read_file',
  'read_many_files',
  'write_file',
  'replace',
  'glob',
  'grep_search',
  'search_file_content',
  'run_shell_command',
  'web_fetch',
  'google_web_search',
  'save_memory',
  'write_todos',
  'activate_skill',
  'ask_user',
  'enter_plan_mode',
  'exit_plan_mode',
  'get_internal_docs',
  'codebase_investigator',
  'cli_help',
  'generalist',
  'invoke_agent',
  'update_topic',
  'list_background_processes',
  'read_background_output',
];

const message = z.looseObject({ type: z.literal('message'), role: z.literal('assistant'), content: z.string() });
const failure = z.looseObject({
  type: z.enum(['error', 'result']),
  status: z.string().optional(),
  severity: z.string().optional(),
  message: z.string().optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});

/** Warnings after which it stops and exits with 0, as if it were done. */
const LIMITS: Readonly<Record<string, string>> = {
  'Loop detected, stopping execution': 'The agent stopped itself, because it saw a loop in its own calls',
  'Maximum session turns exceeded': 'The agent used up its own limit of turns',
};

export const gemini: Preset = {
  name: 'gemini',
  package: '@google/gemini-cli 0.61.0',
  command: 'gemini',
  keyVariable: 'GEMINI_API_KEY',
  speaks: 'Google streamGenerateContent',
  needsModel: true,
  toolsOff: OWN_TOOLS,
  toolsLeft: [],
  args: ({ model }) => ['-p', '{goal}', '-m', model, '--approval-mode', 'yolo', '--output-format', 'stream-json'],
  files: ({ mcpUrl, mcpToken }) => ({
    '.gemini/settings.json': {
      // Without trust in its folder it asks before each call, and exits.
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      privacy: { usageStatisticsEnabled: false },
      general: { disableAutoUpdate: true, disableUpdateNag: true },
      tools: { exclude: OWN_TOOLS },
      mcpServers: {
        browser: { httpUrl: mcpUrl, headers: { Authorization: `Bearer ${mcpToken}` }, trust: true, timeout: 60_000 },
      },
    },
  }),
  env: ({ baseUrl }) => (baseUrl === undefined ? {} : { GOOGLE_GEMINI_BASE_URL: withoutVersion(baseUrl) }),
  limitExits: { 53: 'The agent used up its own limit of turns' },
  read: (reading, event) => {
    const said = message.safeParse(event);
    if (said.success) {
      // A reply comes in pieces; a tool call between two replies ends the first one.
      return { ...reading, answer: `${reading.answer ?? ''}${said.data.content}` };
    }
    if (event['type'] === 'tool_use') return {};
    const failed = failure.safeParse(event);
    if (!failed.success || failed.data.status === 'success') return reading;
    const { error, message: text } = failed.data;
    const sentence = error?.message ?? text;
    if (sentence === undefined) return reading;
    const exhausted = LIMITS[sentence];
    return exhausted === undefined ? { ...reading, error: sentence } : { ...reading, exhausted };
  },
};
