/** Versions of chrome-devtools-mcp: how a call of the newest one is made on another. */
import type { ToolResult } from '../connect/tool-client.ts';
import { type Fit, type Plan, type RenderedCall, unsupported } from './plan.ts';
import type { ToolArguments } from './tool-arguments.ts';

export const fitDevtools: Fit = function* (call, takes): Plan<ToolResult> {
  const own = takes.get(call.tool);
  if (own) return yield { ...call, args: renamed(call.args, own) };
  if (call.tool === 'type_text' && takes.has('press_key')) return yield* typed(call, takes);
  return yield call;
};

function renamed(args: RenderedCall['args'], own: ToolArguments): RenderedCall['args'] {
  const { pageId, waitForStableDom, args: uids, text, filePaths, ...rest } = args;
  const has = (name: string): boolean => own.names.has(name);
  return {
    // A version whose tools take no page acts on the selected one, and the renderer selects a page before it uses it.
    ...(pageId === undefined ? {} : has('pageId') ? { pageId } : has('pageIdx') ? { pageIdx: pageId } : {}),
    ...(has('waitForStableDom') && waitForStableDom !== undefined ? { waitForStableDom } : {}),
    ...rest,
    ...(Array.isArray(uids)
      ? { args: own.typeOf('args').items === 'object' ? uids.map((uid) => ({ uid })) : uids }
      : {}),
    ...(text === undefined
      ? {}
      : { text: Array.isArray(text) && own.typeOf('text').type === 'string' ? text[0] : text }),
    ...files(filePaths, has('filePaths')),
  };
}

function files(paths: unknown, takesSeveral: boolean): Record<string, unknown> {
  if (!Array.isArray(paths)) return {};
  if (takesSeveral) return { filePaths: paths };
  if (paths.length > 1) throw unsupported('This version of chrome-devtools-mcp uploads one file, not several.');
  return { filePath: paths[0] };
}

/** Without a tool that types, each character is a key. */
function* typed({ args, purpose }: RenderedCall, takes: ReadonlyMap<string, ToolArguments>): Plan<ToolResult> {
  const characters = [...String(args['text'])];
  if (characters.some((character) => !/^[ -~\n]$/.test(character)))
    throw unsupported('This version of chrome-devtools-mcp types key by key, with the keys of a US keyboard only.');
  const keys = characters.map((character) => ({ ' ': 'Space', '\n': 'Enter' })[character] ?? character);
  const { pageId, submitKey } = args;
  const all = submitKey === undefined ? keys : [...keys, String(submitKey)];
  let result: ToolResult | undefined;
  for (const key of all) {
    result = yield* fitDevtools({ tool: 'press_key', args: { pageId, key }, purpose }, takes);
    if (result.isError) return result;
  }
  return result ?? (yield { tool: 'list_pages', args: {}, purpose });
}
