/** mouse: presses and releases a button apart, so that other calls can come between. */
import { z } from 'zod';
import { aimAt, Stale, withElement } from '../act.ts';
import { barrier } from '../barrier.ts';
import { CALL_MS, type Call } from '../call.ts';
import { ToolFailure } from '../failure.ts';
import { locatorFields, locatorOf, tabField, timeField } from '../locator.ts';
import { perform } from '../perform.ts';
import type { Place } from '../place.ts';
import type { Point } from '../pointer.ts';
import type { Tab } from '../tab.ts';
import { defineTool } from '../tool.ts';
import { lookAt } from './at-point.ts';
import { coordinate, pointerFields } from './interact.ts';
import { tabFor } from './tab-for.ts';

const Input = z.strictObject({
  operation: z.enum(['down', 'up']),
  ...locatorFields,
  coordinate: coordinate.optional().describe('[x, y] from the top left corner of the viewport'),
  offset: coordinate.optional().describe('Point from the top left corner of the element, in pixels'),
  button: pointerFields.button,
  ...tabField,
  ...timeField,
});

export const mouse = defineTool({
  name: 'mouse',
  description:
    'Press a mouse button down or let it up, on an element, at a coordinate, or where the mouse is. In between, interact with hover and hover_at move the mouse with the button held.',
  input: Input,
  reads: false,
  timeoutMs: CALL_MS,
  run: async (args, given) => {
    const { operation, button = 'left' } = args;
    const tab = tabFor(given, args.tabId, args.ref);
    const { pointer } = tab;
    const done = operation === 'down' ? 'Pressed the mouse button' : 'Let the mouse button up';
    return perform(given, tab, `${done}.`, async (call, after) => {
      const { point, place, line } = await placeOf(args, call, tab);
      const hasDragged = async (): Promise<boolean> =>
        !place.isGone && (await place.ask('verdict', { rearm: true }, tab.lost.signal)).dragStarted;
      after.sent = true;
      const send = async (): Promise<void> => {
        if (operation === 'down') {
          await pointer.press(point, button, hasDragged, call.signal);
          const { seen, instead } = await place.ask('verdict', { rearm: true }, call.signal);
          if (seen === 'missed')
            throw new ToolFailure('obscured', `${line} did not get the event: ${instead ?? 'something else'} did.`);
        } else {
          // A page that follows the mouse must see it arrive.
          await pointer.move(point, call.signal);
          await pointer.release(point, button, call.signal);
        }
        await barrier(call, tab);
      };
      await Promise.race([send(), after.began]);
      return `${done} at (${Math.round(point.x)}, ${Math.round(point.y)})${line === '' ? '' : `: ${line}`}.`;
    });
  },
});

/** Where to press or release, and the document that sees a drag begin there. */
async function placeOf(
  args: z.infer<typeof Input>,
  call: Call,
  tab: Tab,
): Promise<{ point: Point; place: Place; line: string }> {
  const locator = locatorOf(args);
  if (locator && args.coordinate)
    throw new ToolFailure('bad_argument', 'Both an element and a coordinate were given.', 'Give one of them.');
  if (locator) {
    const purpose = args.operation === 'down' ? 'drag' : 'drop';
    return withElement(call, tab, locator, async (found) => {
      const aim = await aimAt(call, found, { purpose, offset: args.offset });
      return aim instanceof Stale ? aim : { point: aim, place: found.place, line: aim.line };
    });
  }
  const { at } = tab.pointer;
  const [x, y] = args.coordinate ?? (at ? [at.x, at.y] : []);
  if (x === undefined || y === undefined)
    throw new ToolFailure('bad_argument', 'The mouse is nowhere yet.', 'Give an element or a coordinate.');
  const line = await lookAt(call, tab, [x, y], args.operation === 'down');
  return { point: { x, y }, place: await tab.main(call.signal), line };
}
