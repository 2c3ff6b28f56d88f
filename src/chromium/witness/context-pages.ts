/** The pages and workers of a context as they come and go, and its downloads. */
import type { Protocol } from '../cdp/protocol.ts';
import type { Session } from '../cdp/session.ts';
import type { ContextLogs } from './context-logs.ts';
import type { PageOwners } from './page-owners.ts';
import { PageWatch } from './page-watch.ts';
import type { Surroundings } from './surroundings.ts';
import type { ContextListener } from './target-hub.ts';

export class ContextPages implements ContextListener {
  readonly #pages: Map<string, PageWatch>;
  readonly #owners: PageOwners;
  readonly #around: Surroundings;
  readonly #logs: ContextLogs;
  #serviceWorkers = 0;

  /** `pages`: those that are open, by target; kept up to date here. */
  constructor(pages: Map<string, PageWatch>, owners: PageOwners, around: Surroundings, logs: ContextLogs) {
    this.#pages = pages;
    this.#owners = owners;
    this.#around = around;
    this.#logs = logs;
  }

  /** How many were started. */
  get serviceWorkers(): number {
    return this.#serviceWorkers;
  }

  onTarget(session: Session, info: Protocol.Target.TargetInfo): void {
    if (info.type !== 'page') {
      if (info.type === 'service_worker') this.#serviceWorkers++;
      // A worker may end before it is set up; then there is nothing to watch.
      void this.#around.onWorker(session, info.targetId).catch(() => {});
      return;
    }
    const page = new PageWatch(session, info, this.#around);
    this.#pages.set(info.targetId, page);
    const pages = this.#owners.of(info);
    pages.add(info.targetId);
    this.#logs.popupOpened(info);
    void session.detached.then(() => {
      this.#pages.delete(info.targetId);
      pages.delete(info.targetId);
    });
  }

  onTargetChanged(info: Protocol.Target.TargetInfo): void {
    const page = this.#pages.get(info.targetId);
    if (!page) return;
    page.url = info.url;
    page.title = info.title;
  }

  onDownloadBegin(event: Protocol.Browser.DownloadWillBeginEvent): boolean {
    const pages = [...this.#pages.values()];
    const page =
      pages.find(({ targetId }) => targetId === event.frameId) ?? pages.find((each) => each.hasFrame(event.frameId));
    if (!page) return false;
    this.#logs.downloadBegun(page.targetId, event);
    return true;
  }

  onDownloadProgress(event: Protocol.Browser.DownloadProgressEvent): void {
    this.#logs.downloadProgressed(event);
  }
}
