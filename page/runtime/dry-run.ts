/** Tries the selectors before anything is sent: a role that can be seen on an idle page must be there. */
import { fillComposer, isEditable } from './composer.ts';
import type { Finder } from './finder.ts';
import type { PageContext } from './page-context.ts';

const LOOK_MS = 3_000;
const PROBE = '.';

/** The problems that prevent a run; empty when it can start. Turns and the busy and done marks appear only later. */
export async function dryRun(page: PageContext): Promise<string[]> {
  const { finder, waiter, notices } = page;
  const invalid = invalidSelectors(finder);
  if (invalid.length > 0) return invalid;
  notices.check();
  const problems: string[] = [];
  const composer = await waiter.until(() => {
    const found = finder.first('composer');
    return found && isEditable(found) ? found : undefined;
  }, LOOK_MS);
  if (!composer) problems.push('The composer’s selectors match nothing that can be written to.');
  if (!(await sendAppears(page, composer))) problems.push('The send button’s selectors match nothing.');
  if (finder.has('new_chat') && !finder.selectors.new_chat.some((selector) => document.querySelector(selector))) {
    problems.push('The selectors for “new chat” match nothing. Is a side bar closed?');
  }
  return problems;
}

/** Some pages show the send button only when there is something to send. */
async function sendAppears(
  { finder, waiter, borrowFocus }: PageContext,
  composer: HTMLElement | undefined,
): Promise<boolean> {
  if (finder.first('send')) return true;
  if (!composer) return false;
  borrowFocus(() => fillComposer(composer, PROBE));
  const button = await waiter.until(() => finder.first('send'), LOOK_MS);
  borrowFocus(() => fillComposer(composer, ''));
  return button !== undefined;
}

function invalidSelectors(finder: Finder): string[] {
  const probe = document.createDocumentFragment();
  return Object.entries(finder.selectors).flatMap(([role, list]: [string, readonly string[]]) =>
    list.flatMap((selector) => {
      try {
        probe.querySelector(selector);
        return [];
      } catch {
        // The browser throws for an invalid selector.
        return [`${role}: “${selector}” is not a valid CSS selector.`];
      }
    }),
  );
}
