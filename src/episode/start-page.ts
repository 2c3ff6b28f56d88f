/** Whether the start page of a task was shown, by what the witness saw; and whose fault it is where it was not. */
import type { PageSet } from '../chromium/index.ts';
import { WaymarkError } from '../errors/index.ts';
import type { AttemptContext } from './attempt-context.ts';
import { ATTEMPT_LIMITS } from './limits.ts';
import { newestDocument } from './main-documents.ts';

interface Start {
  attempt: Pick<AttemptContext, 'server' | 'task' | 'signal'>;
  pages: PageSet;
  /** What the server said went wrong. */
  failure: string | undefined;
  /** What keeps the agent out of the site. */
  wall?: string | undefined;
}

/** Waits for a server that says that it has shown the page before anything was requested: it may be a moment ahead of the browser. */
export async function startPageShown(start: Start): Promise<void> {
  if (start.failure !== undefined || !isMissing(start)) return;
  const limits = { timeoutMs: ATTEMPT_LIMITS.startMs, signal: start.attempt.signal };
  await start.pages.page?.session
    .next('Page.frameNavigated', ({ frame }) => frame.parentId === undefined, limits)
    // Nothing came: the check that follows says what that means.
    .catch(() => {});
}

export function startPageFault(start: Start): WaymarkError | undefined {
  const { attempt, failure } = start;
  if (isMissing(start)) {
    const what = 'The tool server did not open the start page in the browser that it was given';
    const why = attempt.server.hasConnected() ? '' : ' It never connected to the address of that browser.';
    const message = `${what}${failure === undefined ? '.' : `: ${failure}`}${why}`;
    return new WaymarkError({ code: 'start_page_not_shown', message });
  }
  const why = documentFault(start);
  if (why === undefined) return undefined;
  // A challenge often comes as an error of the server.
  if (start.wall !== undefined) {
    const blocked = `The start page ${attempt.task.startUrl} could not be loaded. ${start.wall}`;
    return new WaymarkError({ code: 'site_blocked', message: blocked });
  }
  const message = `The start page ${attempt.task.startUrl} could not be loaded: ${why}.`;
  return new WaymarkError({ code: 'start_page_failed', message });
}

/** All tabs are blank, and nothing was requested for one. */
function isMissing({ attempt, pages }: Start): boolean {
  const isWanted = attempt.task.startUrl !== 'about:blank';
  return isWanted && areBlank(pages) && !newestDocument(attempt.server.witness, pages.pages);
}

function areBlank(pages: PageSet): boolean {
  return pages.pages.every(({ url }) => url === '' || url === 'about:blank');
}

/** A page that has loaded can be worked with, whatever the server said went wrong. */
function documentFault({ attempt, pages, failure }: Start): string | undefined {
  const document = newestDocument(attempt.server.witness, pages.pages);
  if (!document) return undefined;
  const { failed, status, respondedAt } = document;
  // The browser says "aborted" for a download too, and for a navigation that another one has replaced: there is a page then.
  if (failed !== undefined) return failed.startsWith('net::ERR_ABORTED') && !areBlank(pages) ? undefined : failed;
  if (status !== undefined && status >= 500) return `it answered with HTTP status ${status}`;
  if (respondedAt === undefined && failure !== undefined) return `it did not answer in time (${failure})`;
  return undefined;
}
