/** OpenChrome, attached by `--port`. It is not on npm: the command that starts it comes from the configuration. */
import { kindByWords, OPENCHROME_RULES } from './error-kinds.ts';
import { observesBy } from './observe-only.ts';
import type { ServerProfile } from './profile.ts';
import type { OpenChromeChoice } from './server-choice.ts';

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
    notes: [
      'Dialogs are dismissed by the server and reported as success.',
      'Its hints are further text blocks; the answer itself is the first one.',
      'It closes new about:blank tabs half a second after opening one, and its tabs when its input closes.',
    ],
  };
}
