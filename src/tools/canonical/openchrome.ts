/**
 * Renders canonical actions as calls of OpenChrome 1.7.15. Elements are found by a script and reached by coordinates with its `computer` tool,
 * which depends least on how it names elements. It is not on npm: it was tried by hand, and the tests use a stand-in that answers as it does.
 */
import type { ToolResult } from '../connect/tool-client.ts';
import type { ActionOf, CanonicalAction } from './action.ts';
import { sleepFor } from './in-page.ts';
import { findBy, selectBy } from './openchrome-find.ts';
import { oneExpression } from './openchrome-script.ts';
import { act, failed, locate, type Plan, type RenderContext, unsupported } from './plan.ts';
import { pointByScript } from './point-by-script.ts';
import type { Target } from './target.ts';

const WAIT_MS = 10_000;

export function* renderOpenchrome(action: CanonicalAction, context: RenderContext): Plan<void> {
  if (action.action === 'tab') return yield* tabs(action, context);
  if (action.action === 'navigate') return yield* navigate(action, context);
  const tabId = yield* tab(context);
  switch (action.action) {
    case 'read':
      yield* act('read_page', { tabId });
      return;
    case 'screenshot':
      yield* act('computer', { tabId, action: 'screenshot' });
      return;
    case 'click':
      return yield* click(action, tabId);
    case 'type':
      return yield* type(action, tabId);
    case 'select':
      yield* script(tabId, selectBy(action.target, action.options));
      return;
    case 'press':
      if (action.target) yield* script(tabId, `${findBy(action.target)}.focus()`);
      yield* act('computer', { tabId, action: 'key', text: action.key });
      return;
    case 'scroll': {
      const { target, direction, amount = 500 } = action;
      if (!direction && !target) throw failed('bad_argument', 'scroll needs a direction or an element.');
      if (!direction && target) yield* script(tabId, `${findBy(target)}.scrollIntoView({ block: 'center' })`);
      else {
        const selector = target?.selector === undefined ? {} : { selector: target.selector };
        if (target && target.selector === undefined)
          throw unsupported('OpenChrome scrolls the page, or an element by selector.');
        yield* act('lightweight_scroll', { tabId, direction, amount, ...selector });
      }
      return;
    }
    case 'drag':
      throw unsupported('OpenChrome’s drag_drop reports success without moving anything: it only sends drop events.');
    case 'hover':
      yield* act('computer', { tabId, action: 'hover', coordinate: yield* point(tabId, action.target, action.offset) });
      return;
    case 'wait':
      return yield* wait(action, tabId);
    case 'evaluate':
      yield* script(tabId, action.expression);
      return;
    case 'handle_dialog':
      throw unsupported('OpenChrome dismisses dialogs by itself and has no tool to answer them.');
    case 'upload': {
      const { selector } = action.target;
      if (selector === undefined) throw unsupported('OpenChrome uploads to an element by selector.');
      yield* act('file_upload', { tabId, selector, filePaths: action.files });
    }
  }
}

function* tab(context: RenderContext): Plan<string> {
  const id = yield* listed(context);
  if (id === undefined) throw failed('page_gone', 'The server lists no tab.');
  return id;
}

/** The current tab, or the first in its list. Its tab ids are CDP target ids. */
function* listed(context: RenderContext): Plan<string | undefined> {
  if (typeof context.tab === 'string') return context.tab;
  const { texts, text } = yield* locate('tabs_context', {});
  context.tab = idIn(texts[0] ?? text);
  return context.tab;
}

/** Opens a tab when there is none. */
function* navigate({ url }: ActionOf<'navigate'>, context: RenderContext): Plan<void> {
  const tabId = yield* listed(context);
  if (url === 'reload' && tabId !== undefined) {
    yield* act('page_reload', { tabId });
    return;
  }
  const { text } = yield* act('navigate', { ...(tabId === undefined ? {} : { tabId }), url });
  context.tab ??= idIn(text);
}

function idIn(text: string): string | undefined {
  return /\b[0-9A-F]{32}\b/.exec(text)?.[0];
}

function* tabs({ operation, url, title }: ActionOf<'tab'>, context: RenderContext): Plan<void> {
  if (operation === 'list') {
    yield* act('tabs_context', {});
    return;
  }
  if (operation === 'new') {
    const { text } = yield* act('tabs_create', { url: url ?? 'about:blank' });
    context.tab = idIn(text) ?? context.tab;
    return;
  }
  const { texts } = yield* locate('tabs_context', {});
  // Each tab's part of the answer starts with its id.
  const parts = [...(texts[0] ?? '').matchAll(/\b([0-9A-F]{32})\b[\s\S]*?(?=\b[0-9A-F]{32}\b|$)/g)];
  const found = parts.findLast(([part]) => part.includes(url ?? '') && part.includes(title ?? ''))?.[1];
  const chosen = operation === 'close' && url === undefined && title === undefined ? context.tab : found;
  if (chosen === undefined) throw failed('element_not_found', 'There is no such tab.');
  if (operation === 'close') {
    yield* act('tabs_close', { tabId: chosen });
    context.tab = undefined;
    return;
  }
  context.tab = chosen;
  yield* act('read_page', { tabId: chosen });
}

function* script(tabId: string, code: string): Plan<void> {
  yield* act('javascript_tool', { tabId, code: oneExpression(code) });
}

function point(tabId: string, target: Target, offset?: readonly [number, number]): Plan<[number, number]> {
  const run = (code: string): Plan<ToolResult> => locate('javascript_tool', { tabId, code: oneExpression(code) });
  return pointByScript('OpenChrome', target, offset, run);
}

function* click(action: ActionOf<'click'>, tabId: string): Plan<void> {
  const { target, button = 'left', clickCount = 1, modifiers = [], offset } = action;
  if (button === 'middle') throw unsupported('OpenChrome has no click with the middle button.');
  if (modifiers.length > 0) throw unsupported('OpenChrome holds no keys while it clicks.');
  const kind =
    button === 'right'
      ? 'right_click'
      : (['left_click', 'double_click', 'triple_click'][clickCount - 1] ?? 'left_click');
  yield* act('computer', { tabId, action: kind, coordinate: yield* point(tabId, target, offset) });
}

function* type({ target, text, append, submit }: ActionOf<'type'>, tabId: string): Plan<void> {
  if (target) yield* act('computer', { tabId, action: 'left_click', coordinate: yield* point(tabId, target) });
  yield* act('computer', { tabId, action: 'key', text: append ? 'Control+End' : 'Control+A' });
  if (text === '' && !append) yield* act('computer', { tabId, action: 'key', text: 'Delete' });
  else yield* act('computer', { tabId, action: 'type', text });
  if (submit) yield* act('computer', { tabId, action: 'key', text: 'Enter' });
}

/** Its value is a regular expression. */
function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function* wait(
  { text, selector, url, ms, gone, timeoutMs: timeout = WAIT_MS }: ActionOf<'wait'>,
  tabId: string,
): Plan<void> {
  if (ms !== undefined) yield* script(tabId, `(${sleepFor(ms)})()`);
  else if (selector !== undefined)
    yield* act('wait_for', { tabId, type: gone ? 'selector_hidden' : 'selector', value: selector, timeout });
  else if (url !== undefined) yield* act('wait_for', { tabId, type: 'url_match', value: literally(url), timeout });
  else {
    const there = `document.body.innerText.includes(${JSON.stringify(text)})`;
    yield* act('wait_for', { tabId, type: 'function', value: gone ? `!${there}` : there, timeout });
  }
}
