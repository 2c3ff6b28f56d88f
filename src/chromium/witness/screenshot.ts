/** A screenshot of one page, or the reason why there is none. */
import { createHash } from 'node:crypto';
import { messageOf, WaymarkError } from '../../errors/index.ts';
import type { PageWatch } from './page-watch.ts';

const SCREENSHOT_TIMEOUT_MS = 5_000;

export interface Screenshot {
  targetId: string;
  data: Buffer;
  /** SHA-256 of the bytes: identical frames are stored once. */
  hash: string;
  takenAt: number;
}

export interface NoScreenshot {
  /** Why. */
  failed: string;
  /** The browser did not answer in time. */
  timedOut?: true;
}

/** It never throws because of a page. */
export async function takeScreenshot(
  page: PageWatch | undefined,
  options: { timeoutMs?: number | undefined; signal?: AbortSignal | undefined; now: () => number },
): Promise<Screenshot | NoScreenshot> {
  if (!page) return { failed: 'no page is open' };
  if (page.hasCrashed) return { failed: 'the page has crashed' };
  // While a dialog is open the browser takes no screenshot, and the request would only use up the deadline.
  if (page.openDialog) return { failed: `a dialog is open (${page.openDialog.type})` };
  try {
    const { data } = await page.session.send(
      'Page.captureScreenshot',
      { format: 'jpeg', quality: 80 },
      { timeoutMs: options.timeoutMs ?? SCREENSHOT_TIMEOUT_MS, signal: options.signal },
    );
    const bytes = Buffer.from(data, 'base64');
    const hash = createHash('sha256').update(bytes).digest('hex');
    return { targetId: page.targetId, data: bytes, hash, takenAt: options.now() };
  } catch (error) {
    const timedOut = error instanceof WaymarkError && error.code === 'cdp_timeout';
    return { failed: messageOf(error), ...(timedOut ? { timedOut } : {}) };
  }
}
