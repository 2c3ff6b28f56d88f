/**
 * Compares the tools that a server lists with those that its profile and dialect rely on. A server that does not fit is refused before an
 * episode begins, because each of its refusals would otherwise look like a mistake of the agent.
 */
import { WaymarkError } from '../../errors/index.ts';
import { type ToolArguments, toolArguments } from '../canonical/tool-arguments.ts';
import type { ToolClient } from '../connect/tool-client.ts';
import type { Dialect, ServerProfile } from './profile.ts';

/** The arguments of a tool: "a|b" is one of two names, "c?" is sent only to a server that takes it. */
type Needed = Readonly<Record<string, readonly string[]>>;

/** What every task needs. What only some actions need is checked when an action is rendered. */
const NEEDED: Readonly<Record<Dialect, Needed>> = {
  embedded: { navigate: ['url', 'tabId?'], read_page: ['tabId?'], interact: ['action', 'tabId?'] },
  playwright: {
    browser_navigate: ['url'],
    browser_snapshot: [],
    browser_click: ['target|ref', 'element?'],
    browser_type: ['target|ref', 'text', 'element?'],
    browser_press_key: ['key'],
    browser_evaluate: ['function', 'target|ref', 'element?'],
  },
  'chrome-devtools': {
    list_pages: [],
    navigate_page: ['url', 'pageId?', 'type?'],
    take_snapshot: ['pageId?'],
    click: ['uid', 'pageId?'],
    fill: ['uid', 'value', 'pageId?'],
    press_key: ['key', 'pageId?'],
    evaluate_script: ['function', 'args', 'pageId?'],
  },
  openchrome: {
    tabs_context: [],
    navigate: ['url', 'tabId?'],
    read_page: ['tabId'],
    computer: ['tabId', 'action', 'coordinate', 'text'],
    javascript_tool: ['tabId', 'code'],
  },
  plain: {},
};

/** @throws WaymarkError `tool_server_mismatch`, with everything that does not fit in one sentence. */
export function checkTools(profile: ServerProfile, client: Pick<ToolClient, 'name' | 'version' | 'tools'>): void {
  const { navigate, observe, dialect } = profile;
  const listed = new Map(client.tools.map(({ name, inputSchema }) => [name, toolArguments(inputSchema)]));
  const needed: Needed = { [observe.tool]: [], ...NEEDED[dialect] };
  const problems = Object.entries(needed).flatMap(([tool, names]) => problemsOf(tool, names, listed.get(tool)));
  if (!(navigate.tool in needed) && !listed.has(navigate.tool)) problems.push(`it has no tool "${navigate.tool}"`);
  if (problems.length === 0) return;
  throw new WaymarkError({
    code: 'tool_server_mismatch',
    message: `The server ${client.name} ${client.version} does not fit the profile ${profile.name}: ${problems.join('; ')}.`,
    hint: 'Use a version that docs/reference/servers.md names, or describe the server as a custom one.',
  });
}

function problemsOf(tool: string, names: readonly string[], takes: ToolArguments | undefined): string[] {
  if (!takes) return [`it has no tool "${tool}"`];
  const known = names.flatMap((name) => name.replace(/\?$/, '').split('|'));
  const missing = names
    .filter((name) => !name.endsWith('?') && !name.split('|').some((each) => takes.names.has(each)))
    .map((name) => `its tool "${tool}" takes no "${name.split('|').join('" or "')}"`);
  if (known.length === 0) return missing;
  const strange = takes.required
    .filter((name) => !known.includes(name))
    .map((name) => `its tool "${tool}" requires "${name}", which is not known here`);
  return [...missing, ...strange];
}
