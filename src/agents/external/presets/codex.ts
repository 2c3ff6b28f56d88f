/** Codex: OpenAI responses. */
import { z } from 'zod';
import type { Preset, PresetInputs } from '../preset.ts';

const said = z.looseObject({
  type: z.literal('item.completed'),
  item: z.looseObject({ type: z.literal('agent_message'), text: z.string() }),
});
const failed = z.looseObject({
  type: z.enum(['error', 'turn.failed']),
  message: z.string().optional(),
  error: z.looseObject({ message: z.string().optional() }).optional(),
});

/** A name of a table is TOML too; JSON strings are TOML strings. */
function settings({ mcpUrl, model, baseUrl }: PresetInputs): string {
  const provider = baseUrl === undefined ? 'openai' : 'given';
  return [
    `model = ${JSON.stringify(model)}`,
    `model_provider = "${provider}"`,
    'approval_policy = "never"',
    'sandbox_mode = "read-only"',
    'web_search = "disabled"',
    'check_for_update_on_startup = false',
    '[features]',
    // A snapshot of the shell's environment would be a file with the key.
    ...['shell_tool', 'shell_snapshot', 'unified_exec', 'view_image', 'multi_agent', 'goals'].map(
      (name) => `${name} = false`,
    ),
    ...(baseUrl === undefined
      ? []
      : [
          '[model_providers.given]',
          'name = "given"',
          `base_url = ${JSON.stringify(baseUrl)}`,
          'wire_api = "responses"',
          'env_key = "OPENAI_API_KEY"',
        ]),
    '[mcp_servers.browser]',
    `url = ${JSON.stringify(mcpUrl)}`,
    'bearer_token_env_var = "WAYMARK_MCP_TOKEN"',
    'required = true',
    'tool_timeout_sec = 60',
    'default_tools_approval_mode = "approve"',
    '',
  ].join('\n');
}

export const codex: Preset = {
  name: 'codex',
  package: '@openai/codex 0.166.0',
  command: 'codex',
  keyVariable: 'OPENAI_API_KEY',
  speaks: 'OpenAI responses',
  needsModel: true,
  toolsOff: ['shell', 'unified_exec', 'web_search', 'view_image', 'multi_agent', 'goals'],
  toolsLeft: ['list_mcp_resources', 'list_mcp_resource_templates', 'read_mcp_resource', 'request_user_input'],
  args: () => ['exec', '--json', '--skip-git-repo-check', '--ephemeral', '{goal}'],
  files: (inputs) => ({ '.codex/config.toml': settings(inputs) }),
  env: () => ({}),
  read: (reading, event) => {
    const message = said.safeParse(event);
    if (message.success) return { answer: message.data.item.text };
    const failure = failed.safeParse(event);
    if (!failure.success) return reading;
    const error = failure.data.error?.message ?? failure.data.message;
    return error === undefined ? reading : { ...reading, error };
  },
};
