/** BrowserOS: a browser with a built-in MCP server, reached by HTTP. It has its own browser, to which the witness connects. */
import { BROWSEROS_RULES, kindByWords } from './error-kinds.ts';
import { observesBy } from './observe-only.ts';
import type { ServerProfile } from './profile.ts';
import type { BrowserOsChoice } from './server-choice.ts';

/** Its two generations of tools: the names of the first one, then those of the second. */
const OBSERVING = [
  ...['take_snapshot', 'take_enhanced_snapshot', 'take_screenshot', 'get_page_content', 'get_page_links'],
  ...['get_dom', 'search_dom', 'list_pages', 'get_active_page', 'wait_for'],
  ...['snapshot', 'diff', 'read', 'grep', 'screenshot', 'wait'],
];

export function browserosProfile(choice: BrowserOsChoice): ServerProfile {
  return {
    name: 'browseros',
    attach: 'own',
    dialect: 'browseros',
    cdpAddress: choice.cdpAddress,
    start: () => ({ kind: 'http', url: choice.url, headers: choice.headers }),
    navigate: { tool: 'navigate_page', argument: 'url' },
    observe: { tool: 'take_snapshot' },
    tabs: { by: 'page-number', argument: 'page', listTool: 'list_pages' },
    observes: observesBy(OBSERVING, { tabs: { action: ['list', 'active'] } }),
    errorKind: ({ text }) => kindByWords(text, BROWSEROS_RULES),
    notes: ['It owns its browser: isolation between episodes is the server’s.'],
  };
}
