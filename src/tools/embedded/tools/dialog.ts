/** handle_dialog: answers an alert, a confirmation, a prompt, or "leave this page?". */
import { z } from 'zod';
import { ActionEffects } from '../action-effects.ts';
import { barrier } from '../barrier.ts';
import { CALL_MS } from '../call.ts';
import { ToolFailure } from '../failure.ts';
import { tabField, timeField } from '../locator.ts';
import { defineTool } from '../tool.ts';

export const handleDialog = defineTool({
  name: 'handle_dialog',
  description: 'Accept or dismiss the dialog (alert, confirm, prompt, beforeunload) that the page has open.',
  input: z.strictObject({
    accept: z.boolean().describe('true: OK. false: Cancel'),
    promptText: z.string().optional().describe('What to enter into a prompt'),
    ...tabField,
    ...timeField,
  }),
  reads: false,
  timeoutMs: CALL_MS,
  run: async ({ accept, promptText, tabId }, given) => {
    const { context } = given;
    const waiting =
      tabId === undefined ? context.pages.pages.find(({ openDialog }) => openDialog !== undefined) : undefined;
    const tab = waiting ? context.tabOf(waiting) : context.tab(tabId);
    const dialog = tab.page.openDialog;
    if (!dialog) throw new ToolFailure('no_dialog', 'No dialog is open.');
    const call = given.within(tab);
    await context.use(tab);
    using after = new ActionEffects(call, tab);
    const closed = tab.page.session.next('Page.javascriptDialogClosed', undefined, { signal: call.signal });
    // It is awaited below; until then a rejection must not count as unhandled.
    closed.catch(() => {});
    await tab.page.session.send(
      'Page.handleJavaScriptDialog',
      { accept, ...(promptText === undefined ? {} : { promptText }) },
      { signal: call.signal },
    );
    await closed;
    if (dialog.type === 'beforeunload' && accept) after.expectNavigation();
    // The script that opened the dialog continues now, and its first effects belong to this call.
    await Promise.race([barrier(call, tab).catch(() => {}), after.began]);
    const answer = `${accept ? 'Accepted' : 'Dismissed'} the ${dialog.type} dialog "${dialog.message}".`;
    return [answer, ...(await after.sentences())].join(' ');
  },
});
