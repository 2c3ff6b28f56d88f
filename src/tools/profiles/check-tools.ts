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
const NEEDED: Readonly<Record<Dialect, readonly [Needed, ...Needed[]]>> = {
  embedded: [{ navigate: ['url', 'tabId?'], read_page: ['tabId?'], interact: ['action', 'tabId?'] }],
  playwright: [
    {
      browser_navigate: ['url'],
      browser_snapshot: [],
      browser_click: ['target|ref', 'element?'],
      browser_type: ['target|ref', 'text', 'element?'],
      browser_press_key: ['key'],
      browser_evaluate: ['function', 'target|ref', 'element?'],
    },
  ],
  'chrome-devtools': [
    {
      list_pages: [],
      navigate_page: ['url', 'pageId?', 'type?'],
      take_snapshot: ['pageId?'],
      click: ['uid', 'pageId?'],
      fill: ['uid', 'value', 'pageId?'],
      press_key: ['key', 'pageId?'],
      evaluate_script: ['function', 'args', 'pageId?'],
    },
  ],
  openchrome: [
    {
      tabs_context: [],
      navigate: ['url', 'tabId?'],
      read_page: ['tabId'],
      computer: ['tabId', 'action', 'coordinate', 'text'],
      javascript_tool: ['tabId', 'code'],
    },
  ],
  // Its two generations of tools.
  browseros: [
    {
      list_pages: [],
      navigate_page: ['page', 'url', 'action?'],
      take_snapshot: ['page'],
      click_at: ['page', 'x', 'y'],
      press_key: ['page', 'key'],
      evaluate_script: ['page', 'expression'],
    },
    {
      tabs: ['action'],
      navigate: ['page', 'url', 'action?'],
      snapshot: ['page'],
      act: ['page', 'kind', 'x', 'y', 'key', 'text'],
      evaluate: ['page', 'expression|code|script'],
    },
  ],
  plain: [{}],
};

/** @throws WaymarkError `tool_server_mismatch`, with everything that does not fit in one sentence. */
export function checkTools(profile: ServerProfile, client: Pick<ToolClient, 'name' | 'version' | 'tools'>): void {
  const { navigate, observe, dialect } = profile;
  const listed = new Map(client.tools.map(({ name, inputSchema }) => [name, toolArguments(inputSchema)]));
  const problemsWith = (needed: Needed): string[] =>
    Object.entries(needed).flatMap(([tool, names]) => problemsOf(tool, names, listed.get(tool)));
  const [first, ...others] = NEEDED[dialect];
  // Where a dialect has two sets of tools, its profile names those of one of them.
  const named = others.length > 0 ? {} : { [observe.tool]: [], [navigate.tool]: [] };
  const [problems = []] = [first, ...others]
    .map((needed) => problemsWith({ ...named, ...needed }))
    .toSorted((a, b) => a.length - b.length);
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
