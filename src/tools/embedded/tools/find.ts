/** find: elements that match a description, the best first. */
import { z } from 'zod';
import { tabField, timeField } from '../locator.ts';
import { PlaceGone } from '../place.ts';
import { defineTool } from '../tool.ts';

const LIMIT = 10;

export const find = defineTool({
  name: 'find',
  description:
    'Find elements by a few words ("email field", "sign up button", "Order 102"); returns them with refs, the best first.',
  input: z.strictObject({
    query: z.string().min(1).max(200).describe('What the element is or says'),
    limit: z.number().int().min(1).max(50).optional().describe(`Most elements to return. Default: ${LIMIT}`),
    ...tabField,
    ...timeField,
  }),
  reads: true,
  timeoutMs: 10_000,
  run: async ({ query, limit = LIMIT, tabId }, given) => {
    const tab = given.context.tab(tabId);
    const call = given.within(tab);
    await call.context.use(tab);
    tab.checkDialog();
    const ask = () => tab.everywhere('find', { query, limit }, call.signal);
    const answers = await ask().catch((error: unknown) => {
      if (error instanceof PlaceGone) return ask();
      throw error;
    });
    const found = answers.flatMap(({ answer }) => answer.found).sort((a, b) => b.score - a.score);
    if (found.length === 0) return `Nothing on the page fits "${query}". Call read_page to see what is there.`;
    return found
      .slice(0, limit)
      .map(({ line }) => line)
      .join('\n');
  },
});
