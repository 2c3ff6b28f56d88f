/** click_at, tap_at, hover_at, type_at, drag_at: by viewport coordinates in CSS pixels. They do not wait for anything. */
import { z } from 'zod';
import type { ActionEffects } from '../action-effects.ts';
import { barrier } from '../barrier.ts';
import { CALL_MS, type Call } from '../call.ts';
import { drag } from '../drag.ts';
import { ToolFailure } from '../failure.ts';
import { click, PLAIN_CLICK, tap } from '../input.ts';
import { tabField, timeField } from '../locator.ts';
import { perform } from '../perform.ts';
import type { Tab } from '../tab.ts';
import { defineTool } from '../tool.ts';
import { typeIntoFocus } from '../type-into-focus.ts';
import { coordinate, pointerFields } from './interact.ts';

const fields = {
  coordinate: coordinate.describe('[x, y] from the top left corner of the viewport'),
  ...tabField,
  ...timeField,
};

/** Describes the element at the point, for the result. Refuses a point outside the viewport, which no event would reach. */
export async function lookAt(call: Call, tab: Tab, [x, y]: [number, number], arm = false): Promise<string> {
  const main = await tab.main(call.signal);
  const { line, view } = await main.ask('at', { x, y, arm }, call.signal);
  if (line !== null) return line;
  throw new ToolFailure(
    'bad_argument',
    `(${x}, ${y}) is outside of the viewport, which is ${view[0]} by ${view[1]}.`,
    'Scroll first, or correct the coordinates.',
  );
}

async function sent(call: Call, tab: Tab, after: ActionEffects, events: Promise<void>): Promise<void> {
  after.sent = true;
  await Promise.race([events.then(() => barrier(call, tab)), after.began]);
}

export const clickAt = defineTool({
  name: 'click_at',
  description: 'Click at a point of the viewport.',
  input: z.strictObject({ ...fields, ...pointerFields }),
  reads: false,
  timeoutMs: CALL_MS,
  run: async ({ coordinate: at, tabId, button = 'left', clickCount = 1, modifiers = [] }, given) => {
    const tab = given.context.tab(tabId);
    return perform(given, tab, 'Clicked.', async (call, after) => {
      const line = await lookAt(call, tab, at);
      await sent(
        call,
        tab,
        after,
        click(tab.page.session, ...at, { button, count: clickCount, modifiers }, call.signal),
      );
      return `Clicked at (${at.join(', ')}): ${line}.`;
    });
  },
});

export const tapAt = defineTool({
  name: 'tap_at',
  description: 'Tap with a finger at a point of the viewport.',
  input: z.strictObject(fields),
  reads: false,
  timeoutMs: CALL_MS,
  run: async ({ coordinate: at, tabId }, given) => {
    const tab = given.context.tab(tabId);
    return perform(given, tab, 'Tapped.', async (call, after) => {
      const line = await lookAt(call, tab, at);
      await sent(call, tab, after, tap(tab.page.session, ...at, call.signal));
      return `Tapped at (${at.join(', ')}): ${line}.`;
    });
  },
});

export const hoverAt = defineTool({
  name: 'hover_at',
  description: 'Move the mouse to a point of the viewport.',
  input: z.strictObject(fields),
  reads: false,
  timeoutMs: CALL_MS,
  run: async ({ coordinate: at, tabId }, given) => {
    const tab = given.context.tab(tabId);
    return perform(given, tab, 'Hovered.', async (call, after) => {
      const line = await lookAt(call, tab, at);
      await sent(call, tab, after, tab.pointer.move({ x: at[0], y: at[1] }, call.signal));
      return `Hovered at (${at.join(', ')}): ${line}.`;
    });
  },
});

export const typeAt = defineTool({
  name: 'type_at',
  description: 'Click at a point of the viewport and type there.',
  input: z.strictObject({
    ...fields,
    value: z.string().describe('The text to type'),
    append: z.boolean().optional().describe('Keep what is in the field and add to it. Default: replace it'),
    submit: z.boolean().optional().describe('Press Enter at the end'),
  }),
  reads: false,
  timeoutMs: CALL_MS,
  run: async ({ coordinate: at, value, append, submit, tabId }, given) => {
    const tab = given.context.tab(tabId);
    return perform(given, tab, 'Typed.', async (call, after) => {
      await lookAt(call, tab, at);
      await sent(call, tab, after, click(tab.page.session, ...at, PLAIN_CLICK, call.signal));
      const line = await typeIntoFocus(call, tab, after, { value, append, submit });
      return `Typed at (${at.join(', ')}): ${line}.`;
    });
  },
});

export const dragAt = defineTool({
  name: 'drag_at',
  description: 'Drag from one point of the viewport to another.',
  input: z.strictObject({ ...fields, to: coordinate.describe('[x, y] to drop at') }),
  reads: false,
  timeoutMs: CALL_MS,
  run: async ({ coordinate: from, to, tabId }, given) => {
    const tab = given.context.tab(tabId);
    return perform(given, tab, 'Dragged.', async (call, after) => {
      await lookAt(call, tab, to);
      const line = await lookAt(call, tab, from, true);
      const main = await tab.main(call.signal);
      const end = { x: to[0], y: to[1] };
      const hasDragged = async (): Promise<boolean> =>
        (await main.ask('verdict', { rearm: true }, call.signal)).dragStarted;
      await sent(
        call,
        tab,
        after,
        drag(tab.pointer, { x: from[0], y: from[1] }, async () => end, hasDragged, call.signal),
      );
      await Promise.race([main.ask('verdict', {}, call.signal), after.began]);
      return `Dragged ${line} from (${from.join(', ')}) to (${to.join(', ')}).`;
    });
  },
});
