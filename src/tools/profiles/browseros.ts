/** BrowserOS: a browser with a built-in MCP server, reached by HTTP. It cannot use another browser, so the witness connects to it. */
import { COMMON_RULES, kindByWords } from './error-kinds.ts';
import { observesBy } from './observe-only.ts';
import type { ServerProfile } from './profile.ts';
import type { BrowserOsChoice } from './server-choice.ts';

/** The names of its tools. It could not be tested here, so only the canonical actions for navigating and reading are rendered. */
export function browserosProfile(choice: BrowserOsChoice): ServerProfile {
  return {
    name: 'browseros',
    attach: 'own',
    dialect: 'plain',
    cdpAddress: choice.cdpAddress,
    start: () => ({ kind: 'http', url: choice.url, headers: choice.headers }),
    navigate: { tool: 'navigate_page', argument: 'url' },
    observe: { tool: 'take_snapshot' },
    tabs: { by: 'page-number', argument: 'page', listTool: 'list_pages' },
    observes: observesBy([
      'take_snapshot',
      'take_enhanced_snapshot',
      'take_screenshot',
      'get_page_content',
      'get_page_links',
      'get_dom',
      'search_dom',
      'list_pages',
      'get_active_page',
      'wait_for',
    ]),
    errorKind: ({ text }) => kindByWords(text, COMMON_RULES),
    notes: ['It owns its browser: isolation between episodes is the server’s.'],
  };
}
