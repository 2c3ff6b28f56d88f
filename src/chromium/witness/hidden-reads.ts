/**
 * What the harness reads in pages of its own: with the settings and the cookies of the context, in a tab that no lane has. Nothing that such a
 * page does stands in the logs.
 */
import type { PageFacts, PageNeeded } from '../../contracts/index.ts';
import type { Session } from '../cdp/session.ts';
import { openHiddenPage } from './hidden-page.ts';
import type { PageOwners } from './page-owners.ts';
import { type JsonPage, readJsonPage } from './read-json-page.ts';
import { readPage } from './read-page.ts';
import type { Surroundings } from './surroundings.ts';
import type { TargetHub } from './target-hub.ts';

export interface HiddenReadsOptions {
  readonly hub: TargetHub;
  readonly owners: PageOwners;
  readonly around: Surroundings;
  /** The context of the page that was used last: a session that the agent has opened is valid there. */
  readonly contextId: () => string;
}

export class HiddenReads {
  readonly #options: HiddenReadsOptions;

  constructor(options: HiddenReadsOptions) {
    this.#options = options;
  }

  json(url: string, signal: AbortSignal, headers: Readonly<Record<string, string>>): Promise<JsonPage> {
    return this.#inPage(url, signal, (session) => readJsonPage(session, url, signal, headers));
  }

  page(url: string, needed: PageNeeded, signal: AbortSignal): Promise<PageFacts> {
    return this.#inPage(url, signal, (session) => readPage(session, url, needed, signal));
  }

  async #inPage<T>(url: string, signal: AbortSignal, work: (session: Session) => Promise<T>): Promise<T> {
    const { hub, owners, around, contextId } = this.#options;
    await using page = await openHiddenPage(hub, contextId(), owners, signal);
    await Promise.all([
      ...around.prepare(page.session, 'page'),
      page.session.send('Runtime.runIfWaitingForDebugger', undefined, { signal }),
    ]);
    around.onOrigin(URL.parse(url)?.origin ?? '');
    return await work(page.session);
  }
}
