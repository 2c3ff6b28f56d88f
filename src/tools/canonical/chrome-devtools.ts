/** Renders canonical actions as calls of chrome-devtools-mcp 1.11.0; fit-devtools.ts makes them fit other versions. */
import type { ActionOf, CanonicalAction } from './action.ts';
import { pageId, renderTab } from './devtools-tabs.ts';
import { point, returned, uid, uids } from './devtools-target.ts';
import { FOCUS, functionOf, INTO_VIEW, IS_CHECKED, IS_FIELD_FOCUSED, scrollBy, sleepFor } from './in-page.ts';
import { act, failed, locate, type Plan, type RenderContext, unsupported } from './plan.ts';
import { waitInPage } from './wait-in-page.ts';

const WAYS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] } as const;
const CONTROL_OR_META = process.platform === 'darwin' ? 'Meta' : 'Control';
const WAIT_MS = 10_000;

export function* renderDevtools(action: CanonicalAction, context: RenderContext): Plan<void> {
  if (action.action === 'tab') return yield* renderTab(action, context);
  const page = yield* pageId(context);
  switch (action.action) {
    case 'navigate': {
      const { url } = action;
      const isStep = url === 'back' || url === 'forward' || url === 'reload';
      yield* act('navigate_page', { pageId: page, ...(isStep ? { type: url } : { type: 'url', url }) });
      return;
    }
    case 'read':
      yield* act('take_snapshot', { pageId: page });
      return;
    case 'screenshot':
      yield* act('take_screenshot', { pageId: page, format: 'jpeg' });
      return;
    case 'click':
      return yield* click(action, page, context);
    case 'type':
      return yield* type(action, page, context);
    case 'select': {
      const [only = '', ...more] = action.options;
      if (more.length > 0) throw unsupported('chrome-devtools-mcp selects one option of a list, not several.');
      yield* act('fill', { pageId: page, uid: yield* uid(page, action.target), value: only });
      return;
    }
    case 'check': {
      const name = yield* uid(page, action.target);
      const { text } = yield* act('evaluate_script', { pageId: page, function: IS_CHECKED, args: [name] });
      if (returned(text) !== (action.checked ?? true)) yield* act('click', { pageId: page, uid: name });
      return;
    }
    case 'press':
      // No tool focuses an element without a click.
      if (action.target) {
        const args = [yield* uid(page, action.target)];
        yield* act('evaluate_script', { pageId: page, function: FOCUS, args });
      }
      yield* act('press_key', { pageId: page, key: action.key.replace('ControlOrMeta', CONTROL_OR_META) });
      return;
    case 'scroll':
      return yield* scroll(action, page);
    case 'drag': {
      const { target, to, offset, toOffset } = action;
      if (target.at || to.at || offset || toOffset)
        throw unsupported('chrome-devtools-mcp drags from one element to another; it has no drag by coordinates.');
      const [from_uid, to_uid] = yield* uids(page, [target, to]);
      yield* act('drag', { pageId: page, from_uid, to_uid });
      return;
    }
    case 'mouse':
      throw unsupported('chrome-devtools-mcp clicks; it does not press and release a mouse button apart.');
    case 'tap':
      throw unsupported('chrome-devtools-mcp has no touch screen.');
    case 'hover':
      if (action.target.at || action.offset)
        throw unsupported('chrome-devtools-mcp hovers over elements; it has no hover by coordinates.');
      yield* act('hover', { pageId: page, uid: yield* uid(page, action.target) });
      return;
    case 'wait':
      return yield* wait(action, page);
    case 'evaluate':
      yield* act('evaluate_script', { pageId: page, function: functionOf(action.expression) });
      return;
    case 'handle_dialog': {
      const { accept, promptText } = action;
      const prompt = promptText === undefined ? {} : { promptText };
      yield* act('handle_dialog', { pageId: page, action: accept ? 'accept' : 'dismiss', ...prompt });
      return;
    }
    case 'upload':
      yield* act('upload_file', { pageId: page, uid: yield* uid(page, action.target), filePaths: action.files });
  }
}

function needsPoints({ tools }: RenderContext): void {
  if (!tools.has('click_at'))
    throw unsupported('chrome-devtools-mcp has a tool for coordinates only with --experimentalVision.');
}

function* click(action: ActionOf<'click'>, page: number, context: RenderContext): Plan<void> {
  const { target, button = 'left', clickCount = 1, modifiers = [], offset } = action;
  if (button !== 'left')
    throw unsupported(`chrome-devtools-mcp clicks with the left button only, not the ${button} one.`);
  if (modifiers.length > 0) throw unsupported('chrome-devtools-mcp holds no keys while it clicks.');
  if (clickCount > 2) throw unsupported('chrome-devtools-mcp clicks once or twice, not three times.');
  const twice = clickCount === 2 ? { dblClick: true } : {};
  if (target.at || offset) {
    needsPoints(context);
    yield* act('click_at', { pageId: page, ...(yield* point(page, target, offset)), ...twice });
  } else yield* act('click', { pageId: page, uid: yield* uid(page, target), ...twice });
}

function* type(action: ActionOf<'type'>, page: number, context: RenderContext): Plan<void> {
  const { target, text, append = false, slowly = false, submit = false } = action;
  const enter = submit ? { submitKey: 'Enter' } : {};
  if (target && !target.at && !append && !slowly) {
    yield* act('fill', { pageId: page, uid: yield* uid(page, target), value: text });
    if (submit) yield* act('press_key', { pageId: page, key: 'Enter' });
    return;
  }
  if (target?.at) {
    needsPoints(context);
    yield* act('click_at', { pageId: page, x: target.at[0], y: target.at[1] });
  } else if (target) {
    // No tool focuses an element without a click.
    const args = [yield* uid(page, target)];
    yield* act('evaluate_script', { pageId: page, function: FOCUS, args });
  }
  // type_text types at the caret. Where no field has the focus, there is nothing to replace, and the page would hear the keys.
  if ((target && !target.at) || (yield* isFieldFocused(page)))
    yield* act('press_key', { pageId: page, key: append ? 'Control+End' : 'Control+A' });
  if (text === '' && !append) yield* act('press_key', { pageId: page, key: 'Delete' });
  else yield* act('type_text', { pageId: page, text, ...enter });
}

/** What is in a frame of another origin is taken for a field, because its scripts do not reach there. */
function* isFieldFocused(page: number): Plan<boolean> {
  const script = { pageId: page, function: IS_FIELD_FOCUSED, waitForStableDom: false };
  const { text } = yield* locate('evaluate_script', script);
  return returned(text) !== false;
}

/** It has no tool for scrolling, so a script does it, as its users do. */
function* scroll({ target, direction, amount = 500 }: ActionOf<'scroll'>, page: number): Plan<void> {
  if (target?.at)
    throw unsupported('chrome-devtools-mcp has no wheel: it scrolls the page or an element, not at a point.');
  const args = target ? { args: [yield* uid(page, target)] } : {};
  if (direction) {
    const [h, v] = WAYS[direction];
    const code = scrollBy(h * amount, v * amount, target ? 'element' : 'page');
    yield* act('evaluate_script', { pageId: page, function: code, ...args });
  } else if (target) yield* act('evaluate_script', { pageId: page, function: INTO_VIEW, ...args });
  else throw failed('bad_argument', 'scroll needs a direction or an element.');
}

function* wait(action: ActionOf<'wait'>, page: number): Plan<void> {
  const { ms, text, gone = false, timeoutMs = WAIT_MS } = action;
  if (ms !== undefined) {
    yield* act('evaluate_script', { pageId: page, function: sleepFor(ms), waitForStableDom: false });
    return;
  }
  if (text !== undefined && !gone) {
    yield* act('wait_for', { pageId: page, text: [text], timeout: timeoutMs });
    return;
  }
  // Its own wait_for waits only for text to appear.
  const run = (source: string) => ({
    tool: 'evaluate_script',
    args: { pageId: page, function: source, waitForStableDom: false },
  });
  yield* waitInPage(action, run, (result) => returned(result.text) === true);
}
