/** chrome-devtools-mcp, attached by `--wsEndpoint`. */
import { DEVTOOLS_RULES, kindByWords } from './error-kinds.ts';
import { findProgram } from './find-package.ts';
import { observesBy } from './observe-only.ts';
import type { ServerProfile } from './profile.ts';
import type { NpmChoice } from './server-choice.ts';

/** By default it reports usage and checks for a newer version with a process that outlives it. */
const QUIET = { CHROME_DEVTOOLS_MCP_NO_USAGE_STATISTICS: '1', CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS: '1' };

const SETTLE_TRIES = 20;

export function devtoolsProfile(choice: NpmChoice): ServerProfile {
  return {
    name: 'chrome-devtools',
    attach: 'gate',
    dialect: 'chrome-devtools',
    start: (cdp) => {
      const program = (): string => findProgram('chrome-devtools-mcp');
      const [command = process.execPath, ...first] = choice.command ?? [process.execPath, program()];
      const vision = choice.coordinates === false ? [] : ['--experimentalVision'];
      const workspace = choice.filesFolder ? ['--workspace', choice.filesFolder] : [];
      const args = [...first, '--wsEndpoint', cdp.ws, '--no-performance-crux', ...vision, ...workspace];
      return { kind: 'stdio', command, args: [...args, ...(choice.args ?? [])], env: { ...QUIET, ...choice.env } };
    },
    navigate: { tool: 'navigate_page', argument: 'url' },
    observe: { tool: 'take_snapshot' },
    tabs: { by: 'page-number', argument: 'pageId', listTool: 'list_pages' },
    observes: observesBy([
      'take_snapshot',
      'take_screenshot',
      'list_pages',
      'select_page',
      'wait_for',
      'list_console_messages',
      'get_console_message',
      'list_network_requests',
      'get_network_request',
      'get_css_styles',
    ]),
    // It may not have noticed yet that its connection was closed, and then it lists no pages (seen about once in ten times).
    settle: async (client) => {
      for (let tries = 0; tries < SETTLE_TRIES; tries++) {
        const { text } = await client.call('list_pages', {}, { timeoutMs: 5_000 });
        if (/^\d+: /m.test(text)) return;
      }
    },
    errorKind: ({ text }) => kindByWords(text, DEVTOOLS_RULES),
    notes: ['An address that can’t be reached is told in an ordinary result, not in an error.'],
  };
}
