/** interact: mouse and keyboard actions on an element. */
import { z } from 'zod';
import { aimAt, clickElement, hoverElement, Stale, withElement } from '../act.ts';
import type { ActionEffects } from '../action-effects.ts';
import { CALL_MS, type Call } from '../call.ts';
import { drag } from '../drag.ts';
import { ToolFailure } from '../failure.ts';
import { describeAfter, fillElement } from '../fill.ts';
import { chordUsesClipboard, pressChord } from '../input.ts';
import { parseChord } from '../keys.ts';
import { locatorFields, locatorOf, neededLocator, tabField, timeField } from '../locator.ts';
import { perform } from '../perform.ts';
import type { Found } from '../resolve.ts';
import type { Tab } from '../tab.ts';
import { defineTool } from '../tool.ts';
import { scrollBy, scrollTo } from './scroll.ts';
import { tabFor } from './tab-for.ts';

export const coordinate = z.tuple([z.number(), z.number()]);
export const pointerFields = {
  button: z.enum(['left', 'middle', 'right']).optional().describe('Default: left'),
  clickCount: z.number().int().min(1).max(3).optional().describe('2 for a double click. Default: 1'),
  modifiers: z
    .array(z.enum(['Alt', 'Control', 'Meta', 'Shift']))
    .optional()
    .describe('Keys held while clicking'),
};

const Input = z.strictObject({
  action: z.enum(['click', 'type', 'select', 'press', 'scroll', 'hover', 'drag']),
  ...locatorFields,
  value: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('type: the text. select: option or options, by label or value'),
  key: z.string().optional().describe('press: key or chord, e.g. "Enter", "Control+A", "Shift+Tab"'),
  append: z.boolean().optional().describe('type: keep what is in the field and add to it. Default: replace it'),
  slowly: z.boolean().optional().describe('type: key by key, for pages that listen to keys'),
  submit: z.boolean().optional().describe('type: press Enter at the end'),
  ...pointerFields,
  offset: coordinate
    .optional()
    .describe('click, hover, drag: point from the top left corner of the element, in pixels'),
  direction: z
    .enum(['up', 'down', 'left', 'right'])
    .optional()
    .describe('scroll: where to; without it, the element is scrolled into view'),
  amount: z.number().int().min(1).max(100_000).optional().describe('scroll: pixels. Default: 500'),
  to: z
    .strictObject({ ...locatorFields, coordinate: coordinate.optional() })
    .optional()
    .describe('drag: element or coordinate to drop on'),
  ...tabField,
  ...timeField,
});
type Arguments = z.infer<typeof Input>;

export const interact = defineTool({
  name: 'interact',
  description:
    'Click, type, select, press keys, scroll, hover or drag, on an element given by ref, selector, role and name, or text. Waits until the element is visible, enabled, still and not covered.',
  input: Input,
  reads: false,
  timeoutMs: CALL_MS,
  run: async (args, call) => {
    const tab = tabFor(call, args.tabId, args.ref);
    return perform(call, tab, DONE[args.action], (within, after) => ACTIONS[args.action](args, within, tab, after));
  },
});

const DONE: Record<Arguments['action'], string> = {
  click: 'Clicked.',
  type: 'Typed.',
  select: 'Selected.',
  press: 'Pressed.',
  scroll: 'Scrolled.',
  hover: 'Hovered.',
  drag: 'Dragged.',
};

type Action = (args: Arguments, call: Call, tab: Tab, after: ActionEffects) => Promise<string>;

const ACTIONS: Record<Arguments['action'], Action> = {
  click: async (args, call, tab, after) => {
    const { button = 'left', clickCount = 1, modifiers = [], offset } = args;
    const line = await clickElement(call, tab, after, neededLocator(args), {
      button,
      count: clickCount,
      modifiers,
      offset,
    });
    return `${clickCount === 2 ? 'Double-clicked' : button === 'right' ? 'Right-clicked' : 'Clicked'} ${line}.`;
  },
  type: async (args, call, tab, after) => {
    const { value, append, slowly, submit } = args;
    if (typeof value !== 'string') throw new ToolFailure('bad_argument', 'type needs value, the text to type.');
    return `Typed into ${await fillElement(call, tab, after, neededLocator(args), { value, append, slowly, submit })}.`;
  },
  select: async (args, call, tab, after) => {
    const { value } = args;
    if (value === undefined)
      throw new ToolFailure('bad_argument', 'select needs value, the option or options to select.');
    return `Selected in ${await fillElement(call, tab, after, neededLocator(args), { value })}.`;
  },
  press: async (args, call, tab, after) => {
    if (args.key === undefined)
      throw new ToolFailure('bad_argument', 'press needs key, such as "Enter" or "Control+A".');
    const chord = parseChord(args.key);
    const locator = locatorOf(args);
    const found = locator && (await focus(call, tab, args));
    after.sent = true;
    const press = (): Promise<void> => pressChord(tab.page.session, chord, call.signal);
    const pressed = chordUsesClipboard(chord) ? call.context.slot.clipboard.use(press) : press();
    await Promise.race([pressed, after.began]);
    if (found) return `Pressed ${args.key} on ${await describeAfter(call, after, found)}.`;
    await Promise.race([barrier(call, tab), after.began]);
    return `Pressed ${args.key}.`;
  },
  scroll: async (args, call, tab) => {
    const { direction, amount = 500 } = args;
    if (direction === undefined) return scrollTo(call, tab, neededLocator(args, 'a direction or an element'));
    return scrollBy(call, tab, locatorOf(args), direction, amount);
  },
  hover: async (args, call, tab, after) =>
    `Hovered ${await hoverElement(call, tab, after, neededLocator(args), args)}.`,
  drag: async (args, call, tab, after) => {
    const { to } = args;
    if (!to) throw new ToolFailure('bad_argument', 'drag needs to, the element or coordinate to drop on.');
    const target = to.coordinate ? undefined : neededLocator(to, 'an element to drop on');
    return withElement(call, tab, neededLocator(args), async (found) => {
      const aim = await aimAt(call, found, { purpose: 'drag', offset: args.offset });
      if (aim instanceof Stale) return aim;
      after.sent = true;
      const point = async (): Promise<{ x: number; y: number }> => {
        if (to.coordinate) return { x: to.coordinate[0], y: to.coordinate[1] };
        if (!target) throw new ToolFailure('bad_argument', 'drag needs an element to drop on.');
        return withElement(call, tab, target, (end) => aimAt(call, end, { purpose: 'drop' }));
      };
      const hasDragged = async (): Promise<boolean> =>
        (await found.place.ask('verdict', { rearm: true }, call.signal)).dragStarted;
      await drag(call, tab.page.session, aim, point, hasDragged);
      const { line } = await found.place.ask('verdict', {}, call.signal);
      return `Dragged ${line || aim.line}.`;
    });
  },
};

function focus(call: Call, tab: Tab, args: Arguments): Promise<Found> {
  return withElement(call, tab, neededLocator(args), async (found) => {
    const { place, number } = found;
    const entry = await place.ask('enter', { number, purpose: 'focus', waitMs: call.waitMs }, call.signal);
    if (entry.ok) return found;
    if (entry.kind === 'stale_ref') return new Stale(entry.message);
    throw new ToolFailure(entry.kind, entry.message);
  });
}

/** When the page has answered any request, a navigation that the input started has been announced. */
export async function barrier(call: Call, tab: Tab): Promise<void> {
  const main = await tab.main(call.signal);
  await main.ask('frames', { count: 0 }, call.signal);
}
