/** An empty chat for every item: no answer may lean on an earlier one. */
import { isEditable } from './composer.ts';
import { ItemError } from './item-error.ts';
import type { PageContext } from './page-context.ts';

export async function newChat(page: PageContext): Promise<void> {
  const { finder, settings, waiter } = page;
  const isFree = (): boolean => finder.first('busy') === undefined;
  const isEmpty = (): boolean => finder.turns().length === 0 && isFree();

  if (!finder.has('new_chat')) {
    // One long conversation, because the page has nothing else. An answer that is still running must end first.
    await waiter.until(isFree, settings.ready_timeout_ms);
    return;
  }
  // Sites disable the button, or take it away, while the chat is empty.
  const button = await waiter.until(
    () => finder.enabled('new_chat') ?? (!page.isChatUsed && isEmpty() ? 'not needed' : undefined),
    settings.ready_timeout_ms,
  );
  if (button === undefined) throw new ItemError('new_chat_failed', 'No button for a new chat can be clicked.');
  if (button !== 'not needed') button.click();
  const seemsReady = (): boolean => {
    const composer = finder.first('composer');
    return isEmpty() && composer !== undefined && isEditable(composer);
  };
  if (!(await waiter.until(seemsReady, settings.ready_timeout_ms))) {
    if (isEmpty()) throw new ItemError('composer_not_found', 'The new chat has no composer that can be written to.');
    throw new ItemError('new_chat_failed', 'The chat did not become empty after a click on “new chat”.');
  }
  page.isChatUsed = false;
}
