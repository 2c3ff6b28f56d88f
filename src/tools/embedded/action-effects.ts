/**
 * The effects of an action. An action that starts a navigation is finished when the new document has been committed and its content is
 * loaded (DOMContentLoaded; frames get half a second more), so that the next read sees the new page. After a time limit the result says that it is still loading.
 * An action that starts no navigation waits for nothing: the browser announces a navigation before the page answers the one
 * request that follows every action anyway. Navigations that a page starts later, from a timer, are not awaited; use wait_for.
 */
import type { DialogEntry, EventName, EventParams, PageWatch } from '../../chromium/index.ts';
import type { Call } from './call.ts';
import type { Tab } from './tab.ts';

/** The time for the new document to arrive. */
const COMMIT_MS = 5_000;
/** The time for a requested navigation to start. A navigation that a policy stops never starts. */
const START_MS = 1_000;
/** The time for a frame inside the page. A slower frame is likely an advertisement. */
const FRAME_MS = 500;
/** The time for a new tab to show its page. */
const POPUP_MS = 1_000;
const SAME_DOCUMENT = new Set(['sameDocument', 'historySameDocument']);

/** The time for a download to be announced after its navigation ended without a new document. */
const DOWNLOAD_MS = 50;

/** The state of a navigation, and how long it may stay in that state. */
const STAGES = {
  requested: START_MS,
  started: COMMIT_MS,
  loading: COMMIT_MS,
  committed: COMMIT_MS,
  stopped: DOWNLOAD_MS,
};
type Stage = keyof typeof STAGES;

export class ActionEffects {
  /** True after input was sent. From then on, a page that closes or stops answering is an effect of the action. */
  sent = false;
  readonly #call: Call;
  readonly #tab: Tab;
  readonly #page: PageWatch;
  readonly #before: { url: string; popups: number };
  #stages = new Map<string, { stage: Stage; until: number }>();
  #downloads: string[] = [];
  #stops: (() => void)[] = [];
  #moved = Promise.withResolvers<void>();
  #began = Promise.withResolvers<'began'>();
  #navigated = false;
  #closed = false;

  constructor(call: Call, tab: Tab) {
    this.#call = call;
    this.#tab = tab;
    this.#page = tab.page;
    const { witness } = call.context;
    this.#before = { url: this.#page.url, popups: witness.popups.total };
    for (const session of [this.#page.session, ...this.#page.frameSessions.values()]) {
      const on = <E extends EventName>(event: E, handler: (params: EventParams<E>) => void): void => {
        this.#stops.push(session.on(event, handler));
      };
      on('Page.frameRequestedNavigation', ({ frameId, disposition }) => {
        if (disposition === 'currentTab') this.#at(frameId, 'requested');
      });
      on('Page.frameStartedNavigating', ({ frameId, navigationType }) => {
        if (!SAME_DOCUMENT.has(navigationType)) this.#at(frameId, 'started');
      });
      on('Page.frameStartedLoading', ({ frameId }) => {
        if (this.#stages.get(frameId)?.stage === 'started') this.#at(frameId, 'loading');
      });
      on('Page.frameNavigated', ({ frame, type }) => {
        if (frame.id === tab.id) this.#navigated = true;
        // A page from the back/forward cache is complete already.
        if (type === 'BackForwardCacheRestore') this.#over(frame.id);
        else if (this.#stages.has(frame.id)) this.#at(frame.id, 'committed');
      });
      on('Page.frameStoppedLoading', ({ frameId }) => {
        const stage = this.#stages.get(frameId)?.stage;
        if (stage === 'committed') this.#over(frameId);
        // Without a new document it was a download, or a response without content.
        else if (stage === 'loading') this.#at(frameId, 'stopped');
      });
      on('Page.frameDetached', ({ frameId, reason }) => {
        if (reason === 'remove') this.#over(frameId);
      });
      on('Page.downloadWillBegin', ({ frameId, suggestedFilename }) => {
        this.#downloads.push(suggestedFilename);
        this.#over(frameId);
      });
    }
    const { session } = this.#page;
    this.#stops.push(
      session.on('Page.domContentEventFired', () => {
        if (this.#stages.get(tab.id)?.stage === 'committed') this.#over(tab.id);
      }),
      session.on('Page.javascriptDialogOpening', () => this.#announce()),
    );
    const { signal } = tab.lost;
    const onLost = (): void => {
      this.#closed = true;
      this.#announce();
    };
    signal.addEventListener('abort', onLost, { once: true });
    this.#stops.push(() => signal.removeEventListener('abort', onLost));
  }

  /** Resolves when the page will not answer soon: a navigation started, a dialog opened, or the tab closed. */
  get began(): Promise<'began'> {
    return this.#began.promise;
  }

  get hasBegun(): boolean {
    return this.#closed || this.#page.openDialog !== undefined || this.#stages.size > 0 || this.#navigated;
  }

  /** Updates a navigation that was announced before. */
  expectNavigation(): void {
    this.#at(this.#tab.id, 'loading');
  }

  #at(frameId: string, stage: Stage): void {
    const earlier = this.#stages.get(frameId)?.stage;
    // The request may be announced after the start, because the two events come from different processes.
    if (stage === 'requested' && earlier !== undefined) return;
    const now = performance.now();
    const until = frameId === this.#tab.id ? now + STAGES[stage] : (this.#stages.get(frameId)?.until ?? now + FRAME_MS);
    this.#stages.set(frameId, { stage, until });
    this.#announce();
  }

  #over(frameId: string): void {
    if (this.#stages.delete(frameId)) this.#announce();
  }

  #announce(): void {
    this.#began.resolve('began');
    this.#moved.resolve();
    this.#moved = Promise.withResolvers();
  }

  /** Waits as described above, and returns sentences about the effects. */
  async sentences(): Promise<string[]> {
    await this.#settle();
    const { context } = this.#call;
    const said: string[] = [];
    if (this.#closed) said.push('The tab is closed now.');
    else if (this.#stages.size > 0) said.push('The next page is still loading.');
    const { url, openDialog } = this.#page;
    if (!this.#closed && (this.#navigated || url !== this.#before.url)) said.push(`The page is now ${url}.`);
    if (openDialog) said.push(dialogSentence(openDialog));
    for (const { targetId, openerId } of newest(context.witness.popups, this.#before.popups)) {
      if (openerId !== this.#tab.id) continue;
      const page = await this.#opened(targetId);
      said.push(`A new tab opened: ${page?.url ?? ''} (tabId ${targetId}).`);
    }
    for (const name of this.#downloads) said.push(`A download began: ${name}.`);
    return said;
  }

  async #settle(): Promise<void> {
    const end = performance.now() + this.#call.waitMs;
    while (this.#stages.size > 0 && !this.#closed && this.#page.openDialog === undefined) {
      const moved = this.#moved.promise;
      const now = performance.now();
      const [next] = [...this.#stages].sort(([, a], [, b]) => a.until - b.until);
      if (!next) return;
      const [frameId, { stage, until }] = next;
      const left = Math.min(until, end) - now;
      if (left > 0) {
        const timer = Promise.withResolvers<void>();
        const timeout = setTimeout(timer.resolve, left);
        await Promise.race([moved, timer.promise]);
        clearTimeout(timeout);
      } else if (frameId !== this.#tab.id || stage === 'requested' || stage === 'stopped') this.#stages.delete(frameId);
      else return;
    }
  }

  async #opened(targetId: string): Promise<PageWatch | undefined> {
    const { witness } = this.#call.context;
    const page = witness.pages.find((one) => one.targetId === targetId);
    if (!page) return undefined;
    const isBlank = (): boolean => page.url === '' || page.url === ':' || page.url === 'about:blank';
    const loaded = page.session.next('Page.domContentEventFired', () => !isBlank(), {
      signal: this.#call.signal,
      timeoutMs: POPUP_MS,
    });
    // It is awaited below; until then a rejection must not count as unhandled.
    loaded.catch(() => {});
    await page.ready;
    // A new tab that stays blank is reported as it is.
    if (isBlank()) await loaded.catch(() => {});
    return page;
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stops.splice(0)) stop();
  }
}

/** The entries of a log after the first `before` ones. */
function newest<T>(log: { entries: readonly T[]; total: number }, before: number): readonly T[] {
  return log.total === before ? [] : log.entries.slice(before - log.total);
}

function dialogSentence({ type, message }: DialogEntry): string {
  return `${/^[aeiou]/.test(type) ? 'An' : 'A'} ${type} dialog is open: "${message}". Call handle_dialog to answer it.`;
}
