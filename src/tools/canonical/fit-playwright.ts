/** Versions of @playwright/mcp: how a call of the newest one is made on another. */
import type { ToolResult } from '../connect/tool-client.ts';
import { LOCAL_NAME } from './locating-scripts.ts';
import type { Fit, Plan, RenderedCall } from './plan.ts';
import { refOf } from './playwright-ref.ts';
import type { ToolArguments } from './tool-arguments.ts';

const NO_ANSWER: ToolResult = { isError: false, text: '', texts: [], blocks: [], images: [], durationMs: 0 };
/** Names of an element in the newest version, and in those that know only refs of their snapshot. */
const ELEMENTS = [
  ['target', 'ref'],
  ['startTarget', 'startRef'],
  ['endTarget', 'endRef'],
] as const;
/** What a version does by default when it has no argument for it. */
const DEFAULTS: Readonly<Record<string, unknown>> = { button: 'left', clickCount: 1 };

export const fitPlaywright: Fit = function* (call, takes): Plan<ToolResult> {
  const tool = toolOf(call.tool, takes);
  const own = takes.get(tool);
  if (!own) return yield call;
  // The search for a ref tells frames from shadow roots by itself, and a shadow host may have no ref to ask about.
  if (call.args['function'] === LOCAL_NAME && !own.names.has('target')) return NO_ANSWER;
  const args = yield* named({ ...call, tool }, own);
  if (tool === 'browser_tabs' && args['url'] !== undefined && !own.names.has('url')) {
    const { url, ...rest } = args;
    const opened = yield { ...call, args: rest };
    return opened.isError ? opened : yield { ...call, tool: 'browser_navigate', args: { url } };
  }
  return yield { ...call, tool, args };
};

function toolOf(tool: string, takes: ReadonlyMap<string, ToolArguments>): string {
  return tool === 'browser_run_code_unsafe' && !takes.has(tool) ? 'browser_run_code' : tool;
}

function* named({ tool, args }: RenderedCall, own: ToolArguments): Plan<Record<string, unknown>> {
  const fitting: Record<string, unknown> = { ...args };
  for (const [newer, older] of ELEMENTS) {
    const value = args[newer];
    if (value === undefined || own.names.has(newer) || !own.names.has(older)) continue;
    delete fitting[newer];
    fitting[older] = yield* refOf(String(value));
  }
  for (const [name, value] of Object.entries(DEFAULTS))
    if (!own.names.has(name) && fitting[name] === value) delete fitting[name];
  // The description of an element is for people who read the server's log; tools for coordinates once required it too.
  if (own.required.includes('element'))
    fitting['element'] ??= tool.endsWith('_xy') ? 'the page at a point' : 'the element';
  return fitting;
}
