/** A server that is known only by its configuration. */
import {
  BROWSEROS_RULES,
  COMMON_RULES,
  DEVTOOLS_RULES,
  kindByWords,
  OPENCHROME_RULES,
  PLAYWRIGHT_RULES,
} from './error-kinds.ts';
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

export function customProfile(choice: CustomChoice): ServerProfile {
  const { name = 'custom', attach, dialect = 'plain', navigate, observe, command, url } = choice;
  const commandLine = [...(command ?? []), ...Object.values(choice.env ?? {})].join(' ');
  const [first = ''] = observe;
  return {
    name,
    attach,
    dialect,
    openDiscovery: choice.openDiscovery ?? commandLine.includes('{cdpPort}'),
    ...(choice.cdpAddress === undefined ? {} : { cdpAddress: choice.cdpAddress }),
    start: (cdp) => {
      if (url !== undefined) return { kind: 'http', url, headers: choice.headers };
      const [program = '', ...args] = (command ?? []).map((part) => filled(part, cdp));
      const env = Object.entries(choice.env ?? {}).map(([key, value]) => [key, filled(value, cdp)] as const);
      return { kind: 'stdio', command: program, args, env: Object.fromEntries(env) };
    },
    navigate: { tool: navigate.tool, argument: navigate.argument ?? 'url' },
    observe: { tool: first },
    tabs: tabsOf(choice.tabs),
    observes: observesBy([...observe, ...LOCATING_TOOLS[dialect].tools], LOCATING_TOOLS[dialect].sometimes),
    errorKind: ({ text }) => kindByWords(text, RULES[dialect]),
  };
}

function filled(text: string, cdp: CdpAddress): string {
  return text.replaceAll('{cdpHttp}', cdp.http).replaceAll('{cdpWs}', cdp.ws).replaceAll('{cdpPort}', String(cdp.port));
}

function tabsOf(given: CustomChoice['tabs']): ServerProfile['tabs'] {
  if (!given) return { by: 'none' };
  const { by, argument, listTool } = given;
  return { by, ...(argument === undefined ? {} : { argument }), ...(listTool === undefined ? {} : { listTool }) };
}
