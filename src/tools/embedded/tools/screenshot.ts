/** page_screenshot: a picture of the page. */
import { z } from 'zod';
import { CALL_MS } from '../call.ts';
import { tabField, timeField } from '../locator.ts';
import { defineTool } from '../tool.ts';

export const pageScreenshot = defineTool({
  name: 'page_screenshot',
  description:
    'A picture of what the tab shows. Coordinates in it are those of click_at, hover_at, type_at and drag_at.',
  input: z.strictObject({
    fullPage: z.boolean().optional().describe('The whole page, and not only what is shown'),
    format: z.enum(['jpeg', 'png']).optional().describe('Default: jpeg'),
    ...tabField,
    ...timeField,
  }),
  reads: true,
  timeoutMs: CALL_MS,
  run: async ({ fullPage = false, format = 'jpeg', tabId }, given) => {
    const tab = given.context.tab(tabId);
    const call = given.within(tab);
    await call.context.use(tab);
    tab.checkDialog();
    const { session } = tab.page;
    const quality = format === 'jpeg' ? { quality: 80 } : {};
    const clip = fullPage ? await wholePage() : {};
    const { data } = await session.send(
      'Page.captureScreenshot',
      { format, ...quality, ...clip },
      { signal: call.signal },
    );
    return [
      { type: 'image', data, mimeType: `image/${format}` },
      { type: 'text', text: `${tab.page.url}` },
    ];

    async function wholePage() {
      const { cssContentSize } = await session.send('Page.getLayoutMetrics', undefined, { signal: call.signal });
      const { width, height } = cssContentSize;
      // The browser's graphics cannot make taller pictures.
      return { captureBeyondViewport: true, clip: { x: 0, y: 0, width, height: Math.min(height, 16_000), scale: 1 } };
    }
  },
});
