/** Renders canonical actions as calls of the embedded server, one call each. */
import type { ActionOf, CanonicalAction } from './action.ts';
import { act, failed, locate, type Plan, type RenderContext, unsupported } from './plan.ts';
import type { Target } from './target.ts';

export function* renderEmbedded(action: CanonicalAction, context: RenderContext): Plan<void> {
  const tab = context.tab === undefined ? {} : { tabId: context.tab };
  switch (action.action) {
    case 'navigate':
      yield* act('navigate', { url: action.url, ...tab });
      return;
    case 'read':
      yield* act('read_page', tab);
      return;
    case 'screenshot':
      yield* act('page_screenshot', tab);
      return;
    case 'click': {
      const { target, offset, action: _, ...pointer } = action;
      if (target.at) yield* act('click_at', { coordinate: plus(target.at, offset), ...pointer, ...tab });
      else yield* act('interact', { action: 'click', ...target, ...pointer, ...(offset ? { offset } : {}), ...tab });
      return;
    }
    case 'type': {
      const { target, text: value, action: _, slowly, ...how } = action;
      if (target?.at) yield* act('type_at', { coordinate: target.at, value, ...how, ...tab });
      else {
        const keys = slowly === undefined ? {} : { slowly };
        yield* act('interact', { action: 'type', ...target, value, ...keys, ...how, ...tab });
      }
      return;
    }
    case 'select': {
      const [only = '', ...more] = action.options;
      const value = more.length === 0 ? only : action.options;
      yield* act('interact', { action: 'select', ...located(action.target), value, ...tab });
      return;
    }
    case 'check':
      yield* act('form_input', { ...located(action.target), value: action.checked ?? true, ...tab });
      return;
    case 'press':
      yield* act('interact', {
        action: 'press',
        key: action.key,
        ...(action.target && located(action.target)),
        ...tab,
      });
      return;
    case 'scroll': {
      const { target, action: _, ...how } = action;
      yield* act('interact', { action: 'scroll', ...(target && located(target)), ...how, ...tab });
      return;
    }
    case 'drag':
      yield* drag(action, tab);
      return;
    case 'mouse': {
      const { target, offset, operation, button } = action;
      const where = target?.at ? { coordinate: plus(target.at, offset) } : { ...target, ...(offset ? { offset } : {}) };
      yield* act('mouse', { operation, ...where, ...(button ? { button } : {}), ...tab });
      return;
    }
    case 'tap': {
      const { target, offset } = action;
      if (target.at) yield* act('tap_at', { coordinate: plus(target.at, offset), ...tab });
      else yield* act('interact', { action: 'tap', ...target, ...(offset ? { offset } : {}), ...tab });
      return;
    }
    case 'hover': {
      const { target, offset } = action;
      if (target.at) yield* act('hover_at', { coordinate: plus(target.at, offset), ...tab });
      else yield* act('interact', { action: 'hover', ...target, ...(offset ? { offset } : {}), ...tab });
      return;
    }
    case 'wait': {
      const { action: _, ...how } = action;
      const { ms, timeoutMs } = how;
      // A pause that is longer than the default time limit needs a longer limit.
      const limit = timeoutMs ?? (ms === undefined ? undefined : ms + 2_000);
      yield* act('wait_for', { ...how, ...(limit === undefined ? {} : { timeoutMs: limit }), ...tab });
      return;
    }
    case 'evaluate':
      yield* act('javascript_tool', { code: action.expression, ...tab });
      return;
    case 'handle_dialog': {
      const { accept, promptText } = action;
      yield* act('handle_dialog', { accept, ...(promptText === undefined ? {} : { promptText }) });
      return;
    }
    case 'upload':
      yield* act('form_input', { ...located(action.target), value: action.files, ...tab });
      return;
    case 'tab':
      yield* tabs(action, context);
  }
}

function located(target: Target): Target {
  if (target.at) throw unsupported('The embedded server does this to an element, not at a point.');
  return target;
}

function plus([x, y]: [number, number], [dx, dy]: [number, number] = [0, 0]): [number, number] {
  return [x + dx, y + dy];
}

function* drag({ target, offset, to, toOffset }: ActionOf<'drag'>, tab: { tabId?: string | number }): Plan<void> {
  if (target.at && to.at) {
    yield* act('drag_at', { coordinate: plus(target.at, offset), to: plus(to.at, toOffset), ...tab });
    return;
  }
  const { at, ...element } = to;
  const goal = at ? { coordinate: plus(at, toOffset) } : { ...element, ...(toOffset ? { offset: toOffset } : {}) };
  yield* act('interact', { action: 'drag', ...located(target), ...(offset ? { offset } : {}), to: goal, ...tab });
}

function* tabs({ operation, url, title }: ActionOf<'tab'>, context: RenderContext): Plan<void> {
  if (operation === 'list') {
    yield* act('tabs_context', {});
    return;
  }
  if (operation === 'new') {
    const { text } = yield* act('tabs_create', url === undefined ? {} : { url });
    context.tab = /tabId (\w+)/.exec(text)?.[1] ?? context.tab;
    return;
  }
  const { text } = yield* locate('tabs_context', {});
  const lines = text.split('\n').filter((line) => line.includes(url ?? '') && line.includes(title ?? ''));
  const named = url !== undefined || title !== undefined;
  // Tabs are listed in the order in which they were opened, so the newest is the last.
  const line = operation === 'close' && !named ? lines.find((each) => each.includes('used last')) : lines.at(-1);
  const tabId = line?.split(' ')[0];
  if (!tabId) throw failed('element_not_found', 'There is no such tab.');
  if (operation === 'close') {
    yield* act('tabs_close', { tabId });
    context.tab = undefined;
    return;
  }
  context.tab = tabId;
  // No tool selects a tab, because calls name it. Reading a tab makes it the tab that was used last.
  yield* act('read_page', { tabId });
}
