/** From a prompt to a message that was sent, once and provably. */
import { fillComposer, isEditable, plain, readComposer, sameText } from './composer.ts';
import { ItemError } from './item-error.ts';
import type { PageContext } from './page-context.ts';

/** Editors that render asynchronously show what was typed a little later. */
const READ_BACK_MS = 1_500;
/** Of the prompt's longest line: enough to know a bubble by, short enough for a page that cuts long messages. */
const NEEDLE_LENGTH = 80;

export async function fill(page: PageContext, text: string): Promise<void> {
  const { finder, settings, waiter } = page;
  const composer = await waiter.until(() => editable(page), settings.ready_timeout_ms);
  if (!composer) throw new ItemError('composer_not_found', 'No composer that can be written to is visible.');
  const isTaken = page.borrowFocus(() => fillComposer(composer, text));
  if (!isTaken) throw new ItemError('composer_mismatch', 'The composer refused the text.');
  const isThere = await waiter.until(() => {
    const current = finder.first('composer');
    return current !== undefined && sameText(readComposer(current), text);
  }, READ_BACK_MS);
  if (!isThere) throw new ItemError('composer_mismatch', 'The composer holds another text than the prompt.');
}

/** Clicks once. Whatever comes of it, it is never clicked again for this item. */
export async function send(page: PageContext, text: string): Promise<void> {
  const { finder, settings, waiter, notices } = page;
  const button = await waiter.until(() => finder.enabled('send'), settings.ready_timeout_ms);
  if (!button) {
    const what = finder.first('send') ? 'stayed disabled' : 'is not there';
    throw new ItemError('send_disabled', `The send button ${what}.`);
  }
  const isSent = proofOfSend(page, text);
  notices.remember();
  page.isChatUsed = true;
  button.click();
  const proof = await waiter.until(() => {
    notices.check();
    return isSent();
  }, settings.send_timeout_ms);
  if (!proof) {
    throw new ItemError('send_not_confirmed', 'Nothing shows that the message was sent; it was not sent again.');
  }
}

/** The composer was emptied, a bubble with the prompt appeared, or the address changed. */
function proofOfSend(page: PageContext, text: string): () => boolean {
  const address = location.href;
  const needle = needleOf(text);
  const before = occurrences(page, needle);
  return () => {
    const composer = page.finder.first('composer');
    if (composer && plain(readComposer(composer)) === '') return true;
    return location.href !== address || occurrences(page, needle) > before;
  };
}

function editable(page: PageContext): HTMLElement | undefined {
  const composer = page.finder.first('composer');
  return composer && isEditable(composer) ? composer : undefined;
}

function needleOf(text: string): string {
  const lines = text.split(/[\r\n]+/).map(plain);
  return lines.reduce((longest, line) => (line.length > longest.length ? line : longest), '').slice(0, NEEDLE_LENGTH);
}

function occurrences(page: PageContext, needle: string): number {
  if (needle === '') return 0;
  const count = (element: Element | undefined): number => plain(element?.textContent ?? '').split(needle).length - 1;
  return count(document.body) - count(page.finder.first('composer'));
}
