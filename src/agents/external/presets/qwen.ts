/** Qwen Code: chat completions. */
import { z } from 'zod';
import type { Preset } from '../preset.ts';

const OWN_TOOLS = [
  'run_shell_command',
  'read_file',
  'read_many_files',
  'write_file',
  'edit',
  'list_directory',
  'glob',
  'grep_search',
  'web_fetch',
  'web_search',
  'save_memory',
  'todo_write',
  'task',
  'skill',
  'exit_plan_mode',
  'lsp',
  'cron_create',
  'cron_delete',
  'cron_list',
  'enter_worktree',
  'exit_worktree',
  'get_goal',
  'list_agents',
  'loop_wakeup',
  'read_mcp_resource',
  'record_artifact',
  'report_findings',
  'send_message',
  'task_stop',
  'update_goal',
];

const last = z.looseObject({
  type: z.literal('result'),
  is_error: z.boolean().optional(),
  result: z.string().optional(),
  error: z.looseObject({ message: z.string().optional() }).optional(),
});

export const qwen: Preset = {
  name: 'qwen',
  package: '@qwen-code/qwen-code 0.24.4',
  command: 'qwen',
  keyVariable: 'OPENAI_API_KEY',
  speaks: 'OpenAI chat completions',
  needsModel: true,
  toolsOff: OWN_TOOLS,
  toolsLeft: [],
  args: ({ model }) => [
    '{goal}',
    '--auth-type',
    'openai',
    '-m',
    model,
    '--approval-mode',
    'yolo',
    '--output-format',
    'stream-json',
    '--exclude-tools',
    OWN_TOOLS.join(','),
  ],
  files: ({ mcpUrl, mcpToken }) => ({
    '.qwen/settings.json': {
      security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
      privacy: { usageStatisticsEnabled: false },
      general: { disableAutoUpdate: true, disableUpdateNag: true },
      // Otherwise the tools of MCP servers are hidden behind a search tool.
      tools: { toolSearch: { enabled: false }, exclude: OWN_TOOLS },
      mcpServers: {
        browser: { httpUrl: mcpUrl, headers: { Authorization: `Bearer ${mcpToken}` }, trust: true, timeout: 60_000 },
      },
    },
  }),
  env: ({ baseUrl }) => (baseUrl === undefined ? {} : { OPENAI_BASE_URL: baseUrl }),
  limitExits: {
    53: 'The agent used up its own limit of turns',
    55: 'The agent used up its own limit of tool calls or time',
  },
  read: (reading, event) => {
    const ended = last.safeParse(event);
    if (!ended.success) return reading;
    const { is_error: isError, result, error } = ended.data;
    if (isError === true) {
      const sentence = error?.message ?? result ?? 'unknown';
      const sawLoop = sentence.startsWith('Loop detection halted the run');
      return sawLoop
        ? { exhausted: 'The agent stopped itself, because it saw a loop in its own calls' }
        : { error: sentence };
    }
    return result === undefined ? {} : { answer: result };
  },
};
