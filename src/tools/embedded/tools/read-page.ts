/** read_page: the page as compact text with refs, within a budget of characters. */
import { z } from 'zod';
import type { Call } from '../call.ts';
import { ToolFailure } from '../failure.ts';
import type { ReadRequest } from '../in-page/input-actions.ts';
import { tabField, timeField } from '../locator.ts';
import { type Place, PlaceGone } from '../place.ts';
import { resolve } from '../resolve.ts';
import type { Tab } from '../tab.ts';
import { defineTool } from '../tool.ts';
import { cutToWindow } from './text-window.ts';

const BUDGET = 8_000;

export const readPage = defineTool({
  name: 'read_page',
  description:
    'The page as text: headings, words, links, controls with their values and states. [a12] in front of an element is its ref, which stays with it while it lives.',
  input: z.strictObject({
    filter: z
      .enum(['all', 'interactive'])
      .optional()
      .describe('"interactive": only what can be acted on. Default: all'),
    ref_id: z.string().optional().describe('Only what is inside this element'),
    selector: z.string().min(1).optional().describe('Only what is inside the element of this CSS selector'),
    offset: z.number().int().min(0).optional().describe('Lines to leave out at the beginning'),
    maxChars: z
      .number()
      .int()
      .min(200)
      .max(200_000)
      .optional()
      .describe(`Most characters to return. Default: ${BUDGET}`),
    ...tabField,
    ...timeField,
  }),
  reads: true,
  timeoutMs: 10_000,
  run: async ({ filter = 'all', ref_id, selector, offset = 0, maxChars = BUDGET, tabId }, given) => {
    if (ref_id !== undefined && selector !== undefined) {
      throw new ToolFailure('bad_argument', 'Both ref_id and selector were given.', 'Give one of them.');
    }
    const start = ref_id === undefined ? undefined : given.context.place(ref_id);
    const tab = start?.tab ?? given.context.tab(tabId);
    const call = given.within(tab);
    await call.context.use(tab);
    tab.checkDialog();
    const read = async (): Promise<Reading> => {
      if (start) return readPlace(call, tab, start.place, { filter, number: start.number });
      if (selector === undefined) return readPlace(call, tab, await tab.main(call.signal), { filter });
      const found = await resolve(call, tab, { selector }, { retarget: false, appearMs: call.appearMs });
      return readPlace(call, tab, found.place, { filter, number: found.number });
    };
    const { title, url, lines } = await again(read);
    return `page "${title}" ${url}\n${cutToWindow(lines, offset, maxChars)}`;
  },
});

interface Reading {
  title: string;
  url: string;
  lines: string[];
}

async function readPlace(call: Call, tab: Tab, place: Place, request: ReadRequest): Promise<Reading> {
  const answer = await place.ask('read', request, call.signal);
  if (!answer.ok) throw new ToolFailure(answer.kind, answer.message);
  const { title, url, lines, foreign } = answer;
  // From the last to the first, so that an insertion does not move the positions of the others.
  for (const { number, after, depth } of foreign.reverse()) {
    const inner = await tab.foreign(place, number, call.signal);
    const read = inner && (await readPlace(call, tab, inner, { filter: request.filter }).catch(ignoreGone));
    if (read) lines.splice(after, 0, ...read.lines.map((line) => ' '.repeat(depth) + line));
  }
  return { title, url, lines };
}

function ignoreGone(error: unknown): undefined {
  if (!(error instanceof PlaceGone)) throw error;
}

/** A page that was navigated during the read is read once more. */
async function again(read: () => Promise<Reading>): Promise<Reading> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof PlaceGone)) throw error;
    return read();
  }
}
