/** A server that is known only by its configuration. */
import { isFindingCall } from '../canonical/is-finding-call.ts';
import {
  BROWSEROS_RULES,
  COMMON_RULES,
  DEVTOOLS_RULES,
  kindByWords,
  OPENCHROME_RULES,
  PLAYWRIGHT_RULES,
} from './error-kinds.ts';
import { findProgram } from './find-package.ts';
import { LOCATING_TOOLS, observesBy } from './observe-only.ts';
import type { CdpAddress, Dialect, ServerProfile } from './profile.ts';
import type { CustomChoice } from './server-choice.ts';

const RULES: Readonly<Record<Dialect, typeof COMMON_RULES>> = {
  embedded: COMMON_RULES,
  playwright: PLAYWRIGHT_RULES,
  'chrome-devtools': DEVTOOLS_RULES,
  openchrome: OPENCHROME_RULES,
  browseros: BROWSEROS_RULES,
  plain: COMMON_RULES,
};

const OWN_BROWSER = 'It has its own browser: what that held before the episode is not known, and no reset is proved.';

export function customProfile(choice: CustomChoice): ServerProfile {
  const { name = 'custom', attach, dialect = 'plain', navigate, observe, url } = choice;
  const words = [...(choice.command ?? []), ...(choice.args ?? [])];
  const commandLine = [...words, ...Object.values(choice.env ?? {})].join(' ');
  const [first = ''] = observe;
  const launchesBrowser = commandLine.includes('{chromium}');
  const { actions } = choice;
  const observes = observesBy([...observe, ...LOCATING_TOOLS[dialect].tools], LOCATING_TOOLS[dialect].sometimes);
  return {
    name,
    attach,
    dialect,
    launchesBrowser,
    // A server that has launched a browser seldom notices that it has lost it.
    freshProcess: choice.freshProcess ?? launchesBrowser,
    ...(choice.startSeconds === undefined ? {} : { startMs: choice.startSeconds * 1_000 }),
    ...(choice.firstCalls ? { firstCalls: choice.firstCalls } : {}),
    ...(actions ? { actions } : {}),
    ...(attach === 'own' ? { notes: [OWN_BROWSER] } : {}),
    openDiscovery: choice.openDiscovery ?? commandLine.includes('{cdpPort}'),
    ...(choice.cdpAddress === undefined ? {} : { cdpAddress: choice.cdpAddress }),
    start: (cdp) => {
      const program = choice.package === undefined ? [] : [process.execPath, findProgram(choice.package)];
      const [command = '', ...args] = [...program, ...words.map((part) => filled(part, cdp))];
      const env = Object.entries(choice.env ?? {}).map(([key, value]) => [key, filled(value, cdp)] as const);
      const started = { command, args, env: Object.fromEntries(env) };
      if (url === undefined) return { kind: 'stdio', ...started };
      const http = { kind: 'http', url: filled(url, cdp), headers: choice.headers } as const;
      return command === '' ? http : { ...http, program: started };
    },
    navigate: { tool: navigate.tool, argument: navigate.argument ?? 'url' },
    observe: { tool: first },
    tabs: tabsOf(choice.tabs),
    observes: (tool, args) =>
      observes(tool, args) || isFindingCall(tool, args, actions) || isListingCall(tool, args, choice.tabs),
    errorKind: ({ text }) => kindByWords(text, RULES[dialect]),
  };
}

function filled(text: string, cdp: CdpAddress): string {
  return text
    .replaceAll('{cdpHttp}', cdp.http)
    .replaceAll('{cdpWs}', cdp.ws)
    .replaceAll('{cdpPort}', String(cdp.port))
    .replaceAll('{chromium}', cdp.chromium)
    .replaceAll('{mcpPort}', String(cdp.mcpPort));
}

/** The call by which the harness asks for the current tab. */
function isListingCall(tool: string, args: Readonly<Record<string, unknown>>, tabs: CustomChoice['tabs']): boolean {
  return tool === tabs?.listTool && JSON.stringify(args) === JSON.stringify(tabs.listArgs ?? {});
}

function tabsOf(given: CustomChoice['tabs']): ServerProfile['tabs'] {
  if (!given) return { by: 'none' };
  const { by, argument, listTool, listArgs } = given;
  return {
    by,
    ...(argument === undefined ? {} : { argument }),
    ...(listTool === undefined ? {} : { listTool }),
    ...(listArgs === undefined ? {} : { listArgs }),
  };
}
