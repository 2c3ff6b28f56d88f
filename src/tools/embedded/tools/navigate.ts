/** navigate: to an address, back, forward, or the same page again. */
import { z } from 'zod';
import { ActionEffects } from '../action-effects.ts';
import type { Call } from '../call.ts';
import { ToolFailure } from '../failure.ts';
import { tabField, timeField } from '../locator.ts';
import { dialogOpen } from '../place.ts';
import type { Tab } from '../tab.ts';
import { defineTool } from '../tool.ts';
import { addressOf } from './address.ts';

const NAVIGATE_MS = 20_000;

export const navigate = defineTool({
  name: 'navigate',
  description: 'Load a page and wait until its content is there. url is an address, or "back", "forward" or "reload".',
  input: z.strictObject({
    url: z.string().min(1).describe('Address, "back", "forward" or "reload"'),
    ...tabField,
    ...timeField,
  }),
  reads: false,
  timeoutMs: NAVIGATE_MS,
  run: async ({ url, tabId }, call) => {
    const tab = call.context.tab(tabId);
    return tab.inTurn(async () => {
      await call.context.use(tab);
      tab.checkDialog();
      return goTo(call, tab, url);
    }, call.signal);
  },
});

/** Loads the address in the tab and reports the resulting page. */
export async function goTo(call: Call, tab: Tab, url: string): Promise<string> {
  const { session } = tab.page;
  using after = new ActionEffects(call, tab);
  let status: number | undefined;
  const stop = session.on('Network.responseReceived', ({ type, frameId, response }) => {
    if (type === 'Document' && frameId === tab.id) status = response.status;
  });
  const dialog = Promise.withResolvers<never>();
  const stopDialog = session.on('Page.javascriptDialogOpening', ({ type, message }) =>
    dialog.reject(dialogOpen(type, message)),
  );
  try {
    await Promise.race([start(call, tab, url), dialog.promise]);
    const sentences = await after.sentences();
    const said = sentences.length > 0 ? sentences.join(' ') : `The page is still ${tab.page.url}.`;
    return status !== undefined && status >= 400 ? `${said} The server answered with status ${status}.` : said;
  } catch (error) {
    // A hanging navigation would block the old page as well.
    if (call.signal.aborted) {
      // The page may be closed. Then there is nothing to stop.
      session.send('Page.stopLoading').catch(() => {});
      if (tab.page.isAlive) throw new ToolFailure('timeout', `${url} was not loaded within ${call.timeoutMs} ms.`);
    }
    throw error;
  } finally {
    stop();
    stopDialog();
  }
}

async function start(call: Call, tab: Tab, url: string): Promise<void> {
  const { session } = tab.page;
  const options = { signal: call.signal };
  // The answer of neither command includes the navigation, so its start is awaited.
  const begun = (): Promise<unknown> => {
    const started = session.next('Page.frameStartedNavigating', ({ frameId }) => frameId === tab.id, options);
    // It is awaited by the caller; until then a rejection must not count as unhandled.
    started.catch(() => {});
    return started;
  };
  if (url === 'reload') {
    const started = begun();
    await session.send('Page.reload', {}, options);
    await started;
    return;
  }
  if (url === 'back' || url === 'forward') {
    const { currentIndex, entries } = await session.send('Page.getNavigationHistory', undefined, options);
    const entry = entries[currentIndex + (url === 'back' ? -1 : 1)];
    if (!entry) throw new ToolFailure('navigation_failed', `There is no page to go ${url} to.`);
    const started = begun();
    await session.send('Page.navigateToHistoryEntry', { entryId: entry.id }, options);
    await started;
    return;
  }
  const { errorText, isDownload } = await session.send('Page.navigate', { url: addressOf(url) }, options);
  if (errorText && !isDownload)
    throw new ToolFailure('navigation_failed', `${addressOf(url)} could not be loaded: ${errorText}.`);
}
