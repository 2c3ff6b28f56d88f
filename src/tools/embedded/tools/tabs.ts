/** tabs_context, tabs_create, tabs_close. */
import { z } from 'zod';
import { CALL_MS } from '../call.ts';
import { ToolFailure } from '../failure.ts';
import { timeField } from '../locator.ts';
import { defineTool } from '../tool.ts';
import { goTo } from './navigate.ts';

export const tabsContext = defineTool({
  name: 'tabs_context',
  description: 'List the open tabs: tabId, address, title, which one was used last, and open dialogs.',
  input: z.strictObject({ ...timeField }),
  reads: true,
  timeoutMs: CALL_MS,
  run: async (_args, { context }) => {
    const current = context.pages.page;
    const lines = context.pages.pages.map(({ targetId, url, title, openerId, openDialog }) => {
      const notes = [
        ...(targetId === current?.targetId ? ['used last'] : []),
        ...(openerId ? [`opened by ${openerId}`] : []),
        ...(openDialog ? [`${openDialog.type} dialog open: "${openDialog.message}"`] : []),
      ];
      return `${targetId} "${title}" ${url}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`;
    });
    return lines.length === 0 ? 'No tab is open.' : lines.join('\n');
  },
});

export const tabsCreate = defineTool({
  name: 'tabs_create',
  description: 'Open a new tab, load a page in it, and go on there.',
  input: z.strictObject({ url: z.string().min(1).optional().describe('Default: about:blank'), ...timeField }),
  reads: false,
  timeoutMs: 20_000,
  run: async ({ url }, call) => {
    const { context, signal } = call;
    const tab = context.tabOf(await context.witness.openTab(context.pages, { signal }));
    await context.use(tab);
    const opened = `Opened a new tab (tabId ${tab.id}).`;
    return url === undefined || url === 'about:blank' ? opened : `${opened} ${await goTo(call, tab, url)}`;
  },
});

export const tabsClose = defineTool({
  name: 'tabs_close',
  description: 'Close a tab, or several. The last one that is open stays.',
  input: z.strictObject({
    tabId: z.string().optional().describe('Default: the tab used last'),
    tabIds: z.array(z.string()).min(1).optional(),
    ...timeField,
  }),
  reads: false,
  timeoutMs: CALL_MS,
  run: async ({ tabId, tabIds }, call) => {
    if (tabId !== undefined && tabIds)
      throw new ToolFailure('bad_argument', 'Both tabId and tabIds were given.', 'Give one of them.');
    const tabs = (tabIds ?? [tabId]).map((id) => call.context.tab(id));
    if (new Set(tabs).size >= call.context.pages.pages.length) {
      throw new ToolFailure(
        'bad_argument',
        'This would close the last tab.',
        'Open another one with tabs_create first.',
      );
    }
    const { root } = call.context.slot.host.browser.connection;
    await Promise.all(
      tabs.map(async (tab) => {
        await root.send('Target.closeTarget', { targetId: tab.id }, { signal: call.signal });
        await Promise.race([tab.page.session.detached, aborted(call.signal)]);
      }),
    );
    const now = call.context.tab();
    await call.context.use(now);
    return `Closed ${tabs.length === 1 ? 'the tab' : `${tabs.length} tabs`}. The tab used last is now ${now.id} ${now.page.url}.`;
  },
});

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}
