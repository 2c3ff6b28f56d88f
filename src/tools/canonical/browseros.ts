/**
 * Renders canonical actions as calls of BrowserOS. Elements are found by a script and reached by coordinates, because the two generations of its
 * tools name elements in two ways.
 */
import { z } from 'zod';
import type { ToolResult } from '../connect/tool-client.ts';
import type { ActionOf, CanonicalAction } from './action.ts';
import { type BrowserOsCalls, browserOsCalls } from './browseros-calls.ts';
import { sleepFor } from './in-page.ts';
import { findBy, selectBy } from './openchrome-find.ts';
import { act, failed, locate, type Plan, type RenderContext, unsupported } from './plan.ts';
import { pointByScript } from './point-by-script.ts';
import type { Target } from './target.ts';
import { type PlannedCall, waitInPage } from './wait-in-page.ts';

/** Pixels of one notch of its wheel. */
const NOTCH = 120;

/** What both generations tell of their pages beside the text, each with its own name for the number. */
const Pages = z.object({
  pages: z.array(
    z
      .object({
        pageId: z.number().optional(),
        page: z.number().optional(),
        url: z.string(),
        title: z.string().optional(),
      })
      .transform(({ pageId, page, url, title = '' }) => ({ page: pageId ?? page ?? 0, url, title })),
  ),
});
const Opened = z.union([
  z.object({ pageId: z.number() }).transform(({ pageId }) => pageId),
  z.object({ page: z.number() }).transform(({ page }) => page),
]);

/** One action on one page. */
interface OnPage {
  calls: BrowserOsCalls;
  page: number;
}

export function* renderBrowserOs(action: CanonicalAction, context: RenderContext): Plan<void> {
  const calls = browserOsCalls(context);
  if (action.action === 'tab') return yield* tab(action, calls, context);
  const on: OnPage = { calls, page: yield* currentPage(calls, context) };
  const { page } = on;
  switch (action.action) {
    case 'navigate': {
      const { url } = action;
      const isStep = url === 'back' || url === 'forward' || url === 'reload';
      yield* make(calls.navigate(page, isStep ? { action: url } : { action: 'url', url }));
      return;
    }
    case 'read':
      yield* make(calls.snapshot(page));
      return;
    case 'screenshot':
      yield* make(calls.screenshot(page));
      return;
    case 'click':
      return yield* click(action, on);
    case 'type':
      return yield* type(action, on);
    case 'select':
      yield* make(calls.evaluate(page, selectBy(action.target, action.options)));
      return;
    case 'press':
      if (action.target) yield* make(calls.evaluate(page, `${findBy(action.target)}.focus()`));
      yield* make(calls.press(page, action.key));
      return;
    case 'scroll':
      return yield* scroll(action, on);
    case 'drag': {
      if (!calls.dragAt) throw unsupported('This BrowserOS drags elements of its own snapshot only.');
      const from = yield* point(on, action.target, action.offset);
      yield* make(calls.dragAt(page, from, yield* point(on, action.to, action.toOffset)));
      return;
    }
    case 'hover': {
      if (!calls.hoverAt) throw unsupported('This BrowserOS hovers over elements of its own snapshot only.');
      yield* make(calls.hoverAt(page, ...(yield* point(on, action.target, action.offset))));
      return;
    }
    case 'wait':
      return yield* wait(action, on);
    case 'evaluate':
      yield* make(calls.evaluate(page, action.expression));
      return;
    case 'handle_dialog':
      if (!calls.dialog) throw unsupported('This BrowserOS has no tool for dialogs.');
      yield* make(calls.dialog(page, action.accept, action.promptText));
      return;
    case 'upload':
      if (action.target.ref === undefined)
        throw unsupported('BrowserOS uploads to an element of its own snapshot; name it by ref.');
      yield* make(calls.upload(page, action.target.ref, action.files));
      return;
    default:
      throw unsupported(`BrowserOS has no tool for "${action.action}".`);
  }
}

function* make({ tool, args }: PlannedCall): Plan<ToolResult> {
  return yield* act(tool, args);
}

function pagesIn(result: ToolResult) {
  const told = Pages.safeParse(result.structured);
  if (!told.success) throw failed('page_gone', 'The server does not say which pages are open.');
  return told.data.pages;
}

/** The page that the actions go to: the first of its list, until another is chosen. */
function* currentPage(calls: BrowserOsCalls, context: RenderContext): Plan<number> {
  if (typeof context.tab === 'number') return context.tab;
  const { tool, args } = calls.pages();
  const [first] = pagesIn(yield* locate(tool, args));
  if (!first) throw failed('page_gone', 'The server lists no page.');
  context.tab = first.page;
  return first.page;
}

function* tab({ operation, url, title }: ActionOf<'tab'>, calls: BrowserOsCalls, context: RenderContext): Plan<void> {
  if (operation === 'list') {
    yield* make(calls.pages());
    return;
  }
  if (operation === 'new') {
    const { structured } = yield* make(calls.open(url ?? 'about:blank'));
    context.tab = Opened.safeParse(structured).data ?? context.tab;
    return;
  }
  const { tool, args } = calls.pages();
  const pages = pagesIn(yield* locate(tool, args));
  const named = pages.findLast((page) => page.url.includes(url ?? '') && page.title.includes(title ?? ''))?.page;
  const isUnnamed = url === undefined && title === undefined;
  const chosen = operation === 'close' && isUnnamed ? context.tab : named;
  if (typeof chosen !== 'number') throw failed('element_not_found', 'There is no such tab.');
  if (operation === 'close') {
    yield* make(calls.close(chosen));
    context.tab = undefined;
    return;
  }
  context.tab = chosen;
  yield* make(calls.snapshot(chosen));
}

function point({ calls, page }: OnPage, target: Target, offset?: readonly [number, number]): Plan<[number, number]> {
  return pointByScript('BrowserOS', target, offset, (code) => {
    const { tool, args } = calls.evaluate(page, code);
    return locate(tool, args);
  });
}

function* click({ target, button = 'left', clickCount = 1, modifiers = [], offset }: ActionOf<'click'>, on: OnPage) {
  if (modifiers.length > 0) throw unsupported('BrowserOS holds no keys while it clicks.');
  const [x, y] = yield* point(on, target, offset);
  yield* make(on.calls.clickAt(on.page, { x, y, button, clickCount }));
}

function* type({ target, text, append = false, submit = false }: ActionOf<'type'>, on: OnPage): Plan<void> {
  const { calls, page } = on;
  if (target?.at) {
    const [x, y] = target.at;
    yield* make(calls.clickAt(page, { x, y, button: 'left', clickCount: 1 }));
  } else if (target) yield* make(calls.evaluate(page, `${findBy(target)}.focus()`));
  yield* make(calls.press(page, append ? 'Control+End' : 'Control+A'));
  if (text === '' && !append) yield* make(calls.press(page, 'Delete'));
  else if (calls.type) yield* make(calls.type(page, text));
  else for (const key of text) yield* make(calls.press(page, key === '\n' ? 'Enter' : key));
  if (submit) yield* make(calls.press(page, 'Enter'));
}

function* scroll({ target, direction, amount = 500 }: ActionOf<'scroll'>, { calls, page }: OnPage): Plan<void> {
  if (direction && !target) yield* make(calls.scroll(page, direction, amount / NOTCH));
  else if (direction) throw unsupported('BrowserOS scrolls the page, or an element of its own snapshot.');
  else if (target) yield* make(calls.evaluate(page, `${findBy(target)}.scrollIntoView({ block: 'center' })`));
  else throw failed('bad_argument', 'scroll needs a direction or an element.');
}

/** It has no tool that waits in every version, so a script does. */
function* wait(action: ActionOf<'wait'>, { calls, page }: OnPage): Plan<void> {
  const { ms } = action;
  if (ms !== undefined) yield* make(calls.evaluate(page, `(${sleepFor(ms)})()`));
  else
    yield* waitInPage(
      action,
      (source) => calls.evaluate(page, `(${source})()`),
      ({ text }) => /\btrue\b/.test(text),
    );
}
