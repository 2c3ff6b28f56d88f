/** form_input: sets the value of a control of any kind. */
import { z } from 'zod';
import { CALL_MS } from '../call.ts';
import { fillElement } from '../fill.ts';
import { locatorFields, neededLocator, tabField, timeField } from '../locator.ts';
import { perform } from '../perform.ts';
import { defineTool } from '../tool.ts';
import { tabFor } from './tab-for.ts';

export const formInput = defineTool({
  name: 'form_input',
  description:
    'Set the value of a form control: text, check box or radio button (true or false), select (option by label or value; a list for several), date, colour, slider, or file input (path or paths).',
  input: z.strictObject({
    ...locatorFields,
    value: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).describe('The new value'),
    ...tabField,
    ...timeField,
  }),
  reads: false,
  timeoutMs: CALL_MS,
  run: async (args, call) => {
    const tab = tabFor(call, args.tabId, args.ref);
    return perform(call, tab, 'Set.', async (within, after) => {
      const line = await fillElement(within, tab, after, neededLocator(args, 'a control'), { value: args.value });
      return `Set ${line}.`;
    });
  },
});
