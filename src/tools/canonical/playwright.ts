/** Renders canonical actions as calls of @playwright/mcp 0.0.83; fit-playwright.ts makes them fit other versions. */
import type { ActionOf, CanonicalAction } from './action.ts';
import { FOCUS, functionOf, INTO_VIEW, scrollBy } from './in-page.ts';
import { act, failed, locate, type Plan, type RenderContext, unsupported } from './plan.ts';
import { element, evaluated, point, selectorOf } from './playwright-target.ts';
import type { Target } from './target.ts';
import { type PlannedCall, waitInPage } from './wait-in-page.ts';

const FOCUSED: Target = { selector: ':focus' };
const WAYS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] } as const;
const WAIT_MS = 10_000;

export function* renderPlaywright(action: CanonicalAction, context: RenderContext): Plan<void> {
  switch (action.action) {
    case 'navigate':
      return yield* navigate(action, context);
    case 'read':
      yield* act('browser_snapshot', {});
      return;
    case 'screenshot':
      yield* act('browser_take_screenshot', { type: 'jpeg' });
      return;
    case 'click':
      return yield* click(action, context);
    case 'type':
      return yield* type(action, context);
    case 'select':
      yield* act('browser_select_option', { ...(yield* element(action.target)), values: action.options });
      return;
    case 'press':
      // No tool focuses an element without a click.
      if (action.target) yield* act('browser_evaluate', { ...(yield* element(action.target)), function: FOCUS });
      yield* act('browser_press_key', { key: action.key });
      return;
    case 'scroll':
      return yield* scroll(action, context);
    case 'drag':
      return yield* drag(action, context);
    case 'hover': {
      const { target, offset } = action;
      if (target.at || offset) {
        needsPoints(context);
        yield* act('browser_mouse_move_xy', yield* point(target, offset));
      } else yield* act('browser_hover', yield* element(target));
      return;
    }
    case 'wait':
      return yield* wait(action, context);
    case 'evaluate':
      yield* act('browser_evaluate', { function: functionOf(action.expression) });
      return;
    case 'handle_dialog': {
      const { accept, promptText } = action;
      yield* act('browser_handle_dialog', { accept, ...(promptText === undefined ? {} : { promptText }) });
      return;
    }
    case 'upload':
      // A click on the input opens the file chooser, which the next call answers.
      yield* act('browser_click', yield* element(action.target));
      yield* act('browser_file_upload', { paths: action.files });
      return;
    case 'tab':
      return yield* tab(action);
  }
}

function needsPoints({ tools }: RenderContext): void {
  if (!tools.has('browser_mouse_click_xy'))
    throw unsupported('@playwright/mcp has tools for coordinates only with --caps vision.');
}

/** Versions of 2025 have no tool that runs code with Playwright's page. */
function runsCode({ takes }: RenderContext): boolean {
  return !takes || takes.has('browser_run_code_unsafe') || takes.has('browser_run_code');
}

function* navigate({ url }: ActionOf<'navigate'>, context: RenderContext): Plan<void> {
  if (url === 'back') yield* act('browser_navigate_back', {});
  else if (url === 'forward' || url === 'reload') {
    const [code, script] =
      url === 'forward' ? ['page.goForward()', 'history.forward()'] : ['page.reload()', 'location.reload()'];
    if (runsCode(context)) yield* act('browser_run_code_unsafe', { code: `async (page) => { await ${code}; }` });
    else yield* act('browser_evaluate', { function: `() => { ${script}; }` });
  } else yield* act('browser_navigate', { url });
}

function* click(action: ActionOf<'click'>, context: RenderContext): Plan<void> {
  const { target, button = 'left', clickCount = 1, modifiers = [], offset } = action;
  if (!target.at && !offset && clickCount < 3) {
    yield* act('browser_click', {
      ...(yield* element(target)),
      ...(clickCount === 2 ? { doubleClick: true } : {}),
      ...(button === 'left' ? {} : { button }),
      ...(modifiers.length > 0 ? { modifiers } : {}),
    });
    return;
  }
  needsPoints(context);
  if (modifiers.length > 0) throw unsupported('@playwright/mcp holds no keys while it clicks at a point.');
  yield* act('browser_mouse_click_xy', { ...(yield* point(target, offset)), button, clickCount });
}

function* type(action: ActionOf<'type'>, context: RenderContext): Plan<void> {
  const { target, text, append = false, slowly = false, submit = false } = action;
  let field = target ?? FOCUSED;
  if (target?.at) {
    needsPoints(context);
    yield* act('browser_mouse_click_xy', { x: target.at[0], y: target.at[1] });
    field = FOCUSED;
  }
  const named = yield* element(field);
  if (append) {
    // The caret must be at the end, and only typing key by key does not replace the value.
    if (target && !target.at) yield* act('browser_click', named);
    yield* act('browser_press_key', { key: 'Control+End' });
  } else if (slowly) yield* act('browser_type', { ...named, text: '' });
  yield* act('browser_type', {
    ...named,
    text,
    ...(append || slowly ? { slowly: true } : {}),
    ...(submit ? { submit } : {}),
  });
}

function* scroll({ target, direction, amount = 500 }: ActionOf<'scroll'>, context: RenderContext): Plan<void> {
  if (!direction) {
    if (!target) throw failed('bad_argument', 'scroll needs a direction or an element.');
    yield* act('browser_evaluate', { ...(yield* element(target)), function: INTO_VIEW });
    return;
  }
  const [h, v] = WAYS[direction];
  if (!context.tools.has('browser_mouse_wheel')) {
    const on = target ? yield* element(target) : {};
    yield* act('browser_evaluate', { ...on, function: scrollBy(h * amount, v * amount, target ? 'element' : 'page') });
    return;
  }
  // The wheel acts at the mouse position: on the element, or in the corner, where only the page is.
  if (target?.at) yield* act('browser_mouse_move_xy', { x: target.at[0], y: target.at[1] });
  else if (target) yield* act('browser_hover', yield* element(target));
  else yield* act('browser_mouse_move_xy', { x: 2, y: 2 });
  yield* act('browser_mouse_wheel', { deltaX: h * amount, deltaY: v * amount });
}

function* drag({ target, offset, to }: ActionOf<'drag'>, context: RenderContext): Plan<void> {
  if (target.at || to.at || offset) {
    needsPoints(context);
    const start = yield* point(target, offset);
    const end = yield* point(to);
    yield* act('browser_mouse_drag_xy', { startX: start.x, startY: start.y, endX: end.x, endY: end.y });
    return;
  }
  const start = yield* element(target);
  const end = yield* element(to);
  yield* act('browser_drag', {
    startElement: start.element,
    startTarget: start.target,
    endElement: end.element,
    endTarget: end.target,
  });
}

function* wait(action: ActionOf<'wait'>, context: RenderContext): Plan<void> {
  const { text, selector, url, ms, gone, timeoutMs = WAIT_MS } = action;
  if (ms !== undefined) yield* act('browser_wait_for', { time: ms / 1_000 });
  else if (text !== undefined) yield* act('browser_wait_for', gone ? { textGone: text } : { text });
  else if (!runsCode(context)) {
    const run = (source: string): PlannedCall => ({ tool: 'browser_evaluate', args: { function: source } });
    yield* waitInPage(action, run, (result) => evaluated(result.text) === true);
  } else {
    // Its own wait_for waits only for text, so other conditions use a script.
    const timeout = `{ timeout: ${timeoutMs} }`;
    const code =
      selector === undefined
        ? `async (page) => { await page.waitForURL((url) => url.href.includes(${JSON.stringify(url)}), ${timeout}); }`
        : `async (page) => { await page.locator(${JSON.stringify(yield* selectorOf(selector))}).first().waitFor({ state: '${gone ? 'hidden' : 'visible'}', timeout: ${timeoutMs} }); }`;
    yield* act('browser_run_code_unsafe', { code });
  }
}

function* tab({ operation, url, title }: ActionOf<'tab'>): Plan<void> {
  if (operation === 'list') {
    yield* act('browser_tabs', { action: 'list' });
    return;
  }
  if (operation === 'new') {
    yield* act('browser_tabs', { action: 'new', ...(url === undefined ? {} : { url }) });
    return;
  }
  if (operation === 'close' && url === undefined && title === undefined) {
    yield* act('browser_tabs', { action: 'close' });
    return;
  }
  const { text } = yield* locate('browser_tabs', { action: 'list' });
  // "- 0: (current) [Title](http://…)"; older versions have a space before the address.
  const lines = [...text.matchAll(/^- (\d+):(?: \(current\))? \[(.*)\] ?\((.*)\)$/gm)];
  const found = lines.findLast(
    ([, , itsTitle = '', itsUrl = '']) => itsUrl.includes(url ?? '') && itsTitle.includes(title ?? ''),
  );
  if (!found) throw failed('element_not_found', 'There is no such tab.');
  yield* act('browser_tabs', { action: operation, index: Number(found[1]) });
}
