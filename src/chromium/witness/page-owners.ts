/**
 * Which set of pages a target belongs to. This is decided once, at the first question, because the witness and the gates hear
 * of a new page in no fixed order. A page belongs to the set of the page that opened it, or to the set that it was created for, or else to the main set.
 */
import type { Protocol } from '../cdp/protocol.ts';
import { PageSet } from './page-set.ts';
import type { PageWatch } from './page-watch.ts';

export class PageOwners {
  readonly main: PageSet;
  readonly #pages: ReadonlyMap<string, PageWatch>;
  readonly #sets = new Set<PageSet>();
  readonly #owners = new Map<string, PageSet>();
  /** Pages of the harness: no lane sees them. */
  readonly #hidden: PageSet;
  /** The set for which a page is being created. */
  #maker: PageSet | undefined;
  #making: Promise<void> = Promise.resolve();

  constructor(pages: ReadonlyMap<string, PageWatch>) {
    this.#pages = pages;
    this.main = this.open();
    this.#hidden = new PageSet(pages);
  }

  /** Adds a set without pages. */
  open(): PageSet {
    const set = new PageSet(this.#pages);
    this.#sets.add(set);
    return set;
  }

  /** Creates a page for a set. One at a time, because a page is announced before its creator gets its id. */
  async make<T>(set: PageSet, work: () => Promise<T>): Promise<T> {
    return this.#sets.size === 1 && this.#maker === undefined ? work() : this.#makeAlone(set, work);
  }

  /** Creates targets that no set may see. */
  hide<T>(work: () => Promise<{ made: T; targetIds: readonly string[] }>): Promise<T> {
    return this.#makeAlone(this.#hidden, async () => {
      const { made, targetIds } = await work();
      for (const targetId of targetIds) this.#owners.set(targetId, this.#hidden);
      return made;
    });
  }

  async #makeAlone<T>(set: PageSet, work: () => Promise<T>): Promise<T> {
    const before = this.#making;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#making = promise;
    await before;
    this.#maker = set;
    try {
      return await work();
    } finally {
      this.#maker = undefined;
      resolve();
    }
  }

  /** The set of an announced page; undefined for a target that is not a page (a service worker). */
  known(targetId: string): PageSet | undefined {
    return this.#owners.get(targetId);
  }

  of(info: Protocol.Target.TargetInfo): PageSet {
    const known = this.#owners.get(info.targetId);
    if (known) return known;
    const opener = info.openerId === undefined ? undefined : this.#owners.get(info.openerId);
    const set = opener ?? this.#maker ?? this.main;
    this.#owners.set(info.targetId, set);
    return set;
  }

  /** Whether a set may see a target of its context. Frames belong to their page; workers that serve several pages belong to the main set. */
  owns(set: PageSet, info: Protocol.Target.TargetInfo): boolean {
    if (this.#isHidden(info)) return false;
    if (this.#sets.size === 1) return true;
    if (info.type === 'page' || info.type === 'tab') return this.of(info) === set;
    const { parentFrameId } = info;
    if (parentFrameId === undefined) return set === this.main;
    return set.pages.some((page) => page.targetId === parentFrameId || page.hasFrame(parentFrameId));
  }

  /** With the frames and workers in it. */
  #isHidden(info: Protocol.Target.TargetInfo): boolean {
    if (info.type === 'page' || info.type === 'tab') return this.of(info) === this.#hidden;
    return info.parentFrameId !== undefined && this.#owners.get(info.parentFrameId) === this.#hidden;
  }
}
