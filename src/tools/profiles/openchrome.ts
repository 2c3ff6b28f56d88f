/** OpenChrome, attached by `--port`. It is not on npm: the command that starts it comes from the configuration. */
import { z } from 'zod';
import { kindByWords, OPENCHROME_RULES } from './error-kinds.ts';
import { observesBy } from './observe-only.ts';
import type { ProgressStatus, ServerProfile } from './profile.ts';
import type { OpenChromeChoice } from './server-choice.ts';

/** It says beside a result which rule its hint comes from. The rules about progress come before all others. */
const Hinted = z.object({ _hintMeta: z.object({ rule: z.string() }) });
const PROGRESS_RULES: Readonly<Record<string, ProgressStatus>> = {
  'progress-tracker-stalling': 'stalling',
  'progress-tracker-stuck': 'stuck',
};

export function openchromeProfile(choice: OpenChromeChoice): ServerProfile {
  return {
    name: 'openchrome',
    attach: 'gate',
    dialect: 'openchrome',
    openDiscovery: true,
    // Its memory and the counters of its hints would be carried over to the next episode.
    freshProcess: true,
    start: (cdp) => {
      const [command = 'node', ...first] = choice.command;
      const args = [...first, 'serve', '--port', String(cdp.port), ...(choice.args ?? [])];
      // Its command `openchrome` refuses the flag --all-tools; both its programs read the variable.
      return { kind: 'stdio', command, args, env: { OPENCHROME_TOOL_TIER: '3', ...choice.env } };
    },
    navigate: { tool: 'navigate', argument: 'url' },
    observe: { tool: 'read_page' },
    tabs: { by: 'target-id', argument: 'tabId', listTool: 'tabs_context' },
    observes: observesBy(
      [
        'read_page',
        'find',
        'inspect',
        'query_dom',
        'page_content',
        'tabs_context',
        'wait_for',
        'performance_metrics',
        'oc_progress_status',
        'oc_profile_status',
        'list_profiles',
        'workflow_status',
      ],
      {
        computer: { action: ['screenshot', 'wait'] },
        cookies: { action: ['get'] },
        storage: { action: ['get', 'keys'] },
        console_capture: { action: ['get'] },
      },
    ),
    errorKind: ({ texts }) => kindByWords(texts[0] ?? '', OPENCHROME_RULES),
    progress: ({ extra }) => PROGRESS_RULES[Hinted.safeParse(extra).data?._hintMeta.rule ?? ''] ?? 'progressing',
    notes: [
      'Dialogs are dismissed by the server and reported as success.',
      'Its hints are further text blocks; the answer itself is the first one.',
      'It closes new about:blank tabs half a second after opening one, and its tabs when its input closes.',
    ],
  };
}
