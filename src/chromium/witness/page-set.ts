/** Some of a context's pages: those of one lane. Without lanes there is one set, with all of them. */
import type { PageWatch } from './page-watch.ts';

export class PageSet {
  readonly #pages: ReadonlyMap<string, PageWatch>;
  /** Target ids, the one used last at the end. */
  #used: string[] = [];

  constructor(all: ReadonlyMap<string, PageWatch>) {
    this.#pages = all;
  }

  /** The page that was used last. */
  get page(): PageWatch | undefined {
    for (let i = this.#used.length - 1; i >= 0; i--) {
      const page = this.#pages.get(this.#used[i] ?? '');
      if (page?.isAlive) return page;
    }
    return undefined;
  }

  /** In the order in which they were opened. */
  get pages(): PageWatch[] {
    return [...this.#pages.values()].filter(({ targetId }) => this.#used.includes(targetId));
  }

  /** Says which page an action went to. */
  use(targetId: string): void {
    if (!this.#used.includes(targetId) || this.#used[this.#used.length - 1] === targetId) return;
    this.#used = [...this.#used.filter((id) => id !== targetId), targetId];
  }

  /** A popup does not become "the" page by opening: the agent has not used it yet. */
  add(targetId: string): void {
    if (this.#used.length === 0) this.#used.push(targetId);
    else this.#used.unshift(targetId);
  }

  delete(targetId: string): void {
    this.#used = this.#used.filter((id) => id !== targetId);
  }
}
