/** The pictures of one lane's page. */
import type { PageSet } from '../chromium/index.ts';
import type { AttemptContext } from './attempt-context.ts';

export interface PictureAbout {
  callId?: string | undefined;
  /** The page as the newest evidence knows it. */
  dom: string | undefined;
  /** Nothing was done to the page since its last picture. */
  mayReuse: boolean;
  timeoutMs?: number;
}

export class LanePictures {
  readonly #attempt: AttemptContext;
  readonly #pages: PageSet;
  readonly #lane: { executorId?: string };
  #last: { file: string; hash: string; dom: string | undefined } | undefined;

  constructor(attempt: AttemptContext, pages: PageSet, lane: { executorId?: string }) {
    this.#attempt = attempt;
    this.#pages = pages;
    this.#lane = lane;
  }

  /**
   * A page that was only looked at, and has not moved since its last picture, is not taken again: a picture is most of what a step costs.
   * Returns whether there is a new picture.
   */
  async take({ callId, dom, mayReuse, timeoutMs }: PictureAbout): Promise<boolean> {
    const { pictures, journal, scorer, server } = this.#attempt;
    if (!pictures) return false;
    const reused = mayReuse && dom !== undefined && dom === this.#last?.dom ? this.#last : undefined;
    const how = { pages: this.#pages, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
    const kept = reused ?? (await pictures.keep(() => server.witness.screenshot(how)));
    const about = { ...(callId === undefined ? {} : { callId }), ...this.#lane };
    if ('failed' in kept) {
      const { failed: reason, timedOut } = kept;
      journal.append({ type: 'screenshot', ...about, ok: false, reason, ...(timedOut ? { timedOut } : {}) });
      return false;
    }
    this.#last = { file: kept.file, hash: kept.hash, dom };
    const file = `screenshots/${kept.file}`;
    const event = journal.append({ type: 'screenshot', ...about, ok: true, file, hash: kept.hash });
    const reward = scorer.onPicture(event);
    if (reward) journal.append({ type: 'reward', ...about, ...reward });
    return reused === undefined;
  }
}
