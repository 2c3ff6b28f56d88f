/** The pages of one lane in a context. Without lanes there is one set with all pages. */
import type { PageWatch } from './page-watch.ts';

export class PageSet {
  readonly #pages: ReadonlyMap<string, PageWatch>;
  /** Target ids; the page that was used last is at the end. */
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

  /** Records which page an action went to. */
  use(targetId: string): void {
    if (!this.#used.includes(targetId) || this.#used[this.#used.length - 1] === targetId) return;
    this.#used = [...this.#used.filter((id) => id !== targetId), targetId];
  }

  /** A new popup does not become the current page, because the agent has not used it yet. */
  add(targetId: string): void {
    if (this.#used.length === 0) this.#used.push(targetId);
    else this.#used.unshift(targetId);
  }

  delete(targetId: string): void {
    this.#used = this.#used.filter((id) => id !== targetId);
  }
}
