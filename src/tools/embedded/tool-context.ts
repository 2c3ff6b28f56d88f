/** The state of one embedded server: the tabs of its lane, the tab that was used last, and the document of each ref's letters. */
import type { PageSet, PageWatch, Slot, Witness } from '../../chromium/index.ts';
import { ToolFailure } from './failure.ts';
import { lettersOf, parseRef } from './letters.ts';
import type { Place } from './place.ts';
import { Tab } from './tab.ts';
import { ProgressWatch } from './watch-progress.ts';

export interface ToolContextOptions {
  slot: Slot;
  /** The tabs of its lane. Default: the tabs of the slot's main lane. */
  pages?: PageSet | undefined;
  filesFolder?: string | undefined;
}

export class ToolContext {
  readonly slot: Slot;
  readonly pages: PageSet;
  /** The only folder from which files can be uploaded. Without it, any readable path is allowed. */
  readonly filesFolder: string | undefined;
  readonly progress: ProgressWatch;
  #tabs = new Map<string, Tab>();
  #places = new Map<string, { tab: Tab; place: Place }>();
  #letters = 0;
  #front: string | undefined;
  #stop: () => void;

  constructor({ slot, pages = slot.witness.main, filesFolder }: ToolContextOptions) {
    this.slot = slot;
    this.pages = pages;
    this.progress = new ProgressWatch((signal) => slot.witness.observe({ pages, timeoutMs: LOOK_MS, signal }));
    this.filesFolder = filesFolder;
    this.#stop = slot.host.browser.connection.root.on('Target.targetCrashed', ({ targetId }) => {
      const tab = this.#tabs.get(targetId);
      // After a crash, the next page gets a new Tab object.
      this.#tabs.delete(targetId);
      tab?.lost.abort(new ToolFailure('page_gone', 'The page has crashed.', CRASHED));
    });
  }

  get witness(): Witness {
    return this.slot.witness;
  }

  /** The tab with this id, or the one used last. */
  tab(tabId?: string): Tab {
    const { pages } = this;
    const page = tabId === undefined ? pages.page : pages.pages.find((one) => one.targetId === tabId);
    if (page?.isAlive) return this.tabOf(page);
    if (tabId === undefined) throw new ToolFailure('page_gone', 'No tab is open.', 'Call tabs_create for a new one.');
    throw new ToolFailure('page_gone', `There is no tab "${tabId}".`);
  }

  tabOf(page: PageWatch): Tab {
    let tab = this.#tabs.get(page.targetId);
    if (!tab || tab.page !== page) {
      const made = new Tab(
        page,
        () => lettersOf(this.#letters++),
        (place) => this.#remember(made, place),
      );
      tab = made;
      this.#tabs.set(page.targetId, made);
      void page.session.detached.then(() => {
        if (this.#tabs.get(page.targetId) === made) this.#tabs.delete(page.targetId);
        for (const [letters, known] of this.#places) if (known.tab === made) this.#places.delete(letters);
      });
    }
    return tab;
  }

  /** Records that the call goes to this tab. */
  async use(tab: Tab): Promise<void> {
    this.pages.use(tab.id);
    const before = this.#front;
    this.#front = tab.id;
    // A full browser draws only the active tab, and a page that is not drawn runs no animation frames.
    if (before !== undefined && before !== tab.id) await tab.page.session.send('Page.bringToFront').catch(() => {});
  }

  /** The place and the number that a ref names. */
  place(ref: string): { tab: Tab; place: Place; number: number } {
    const parsed = parseRef(ref);
    if (!parsed) {
      throw new ToolFailure(
        'bad_argument',
        `"${ref}" is not a valid ref; refs look like a12.`,
        'Take refs from read_page or find.',
      );
    }
    const known = this.#places.get(parsed.letters);
    if (!known || known.place.isGone) {
      throw new ToolFailure('stale_ref', `The ref "${ref}" belongs to no page that is shown now.`);
    }
    return { ...known, number: parsed.number };
  }

  #remember(tab: Tab, place: Place): void {
    for (const [letters, known] of this.#places) if (known.place.isGone) this.#places.delete(letters);
    this.#places.set(place.letters, { tab, place });
  }

  close(): void {
    this.#stop();
  }
}

const LOOK_MS = 1_000;
const CRASHED = 'Call navigate to load a page again, or tabs_create for a new tab.';
