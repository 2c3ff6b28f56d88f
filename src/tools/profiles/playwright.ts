/** @playwright/mcp, attached by `--cdp-endpoint`. */
import { kindByWords, PLAYWRIGHT_RULES } from './error-kinds.ts';
import { findProgram } from './find-package.ts';
import { observesBy } from './observe-only.ts';
import type { ServerProfile } from './profile.ts';
import type { NpmChoice } from './server-choice.ts';

const LET_GO_MS = 3_000;

export function playwrightProfile(choice: NpmChoice): ServerProfile {
  return {
    name: 'playwright',
    attach: 'gate',
    dialect: 'playwright',
    start: (cdp) => {
      const [command = process.execPath, ...first] = choice.command ?? [
        process.execPath,
        findProgram('@playwright/mcp'),
      ];
      const caps = choice.coordinates === false ? [] : ['--caps', 'vision'];
      // It reads files only from the first root and would write its own files there too, so its output folder is set to the working folder.
      const output = choice.filesFolder ? ['--output-dir', '.playwright-mcp'] : [];
      const args = [...first, '--cdp-endpoint', cdp.http, ...caps, ...output, ...(choice.args ?? [])];
      return {
        kind: 'stdio',
        command,
        args,
        env: choice.env,
        roots: choice.filesFolder ? [choice.filesFolder] : undefined,
      };
    },
    navigate: { tool: 'browser_navigate', argument: 'url' },
    observe: { tool: 'browser_snapshot' },
    tabs: { by: 'index', listTool: 'browser_tabs', listArgs: { action: 'list' } },
    observes: observesBy(
      [
        'browser_snapshot',
        'browser_find',
        'browser_console_messages',
        'browser_network_requests',
        'browser_network_request',
        'browser_take_screenshot',
        'browser_wait_for',
      ],
      { browser_tabs: { action: ['list'] } },
    ),
    letGo: (client) => client.call('browser_close', {}, { timeoutMs: LET_GO_MS }),
    errorKind: ({ text }) => kindByWords(text, PLAYWRIGHT_RULES),
  };
}
