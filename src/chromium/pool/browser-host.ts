/** A browser with the parts that the pool needs: the hub that announces its targets, and the utility page that exchanges its clipboard. */
import type { Browser } from '../launch/browser.ts';
import { TargetHub } from '../witness/target-hub.ts';
import { UtilityPage } from './utility-page.ts';

/** How many of the origins that earlier episodes visited are remembered. A leak would be found there. */
const MAX_ORIGINS = 8;

export class BrowserHost {
  readonly browser: Browser;
  readonly hub: TargetHub;
  readonly utilityPage: UtilityPage;
  /** Slots made so far. */
  made = 0;
  /** Slots that this browser has now, including prepared ones. */
  slotCount = 0;
  #origins: string[] = [];
  #isRetired = false;

  private constructor(browser: Browser, hub: TargetHub, utilityPage: UtilityPage) {
    this.browser = browser;
    this.hub = hub;
    this.utilityPage = utilityPage;
  }

  static async open(start: () => Promise<Browser>): Promise<BrowserHost> {
    const browser = await start();
    try {
      const hub = await TargetHub.start(browser.connection);
      return new BrowserHost(browser, hub, await UtilityPage.start(hub));
    } catch (error) {
      await browser.close();
      throw error;
    }
  }

  /** Slots can be made in it. */
  get isAlive(): boolean {
    return this.browser.connection.isOpen && !this.#isRetired;
  }

  /** No slot is made in it any more; those that it has are used to their end. False if it was retired before. */
  retire(): boolean {
    const isNew = !this.#isRetired;
    this.#isRetired = true;
    return isNew;
  }

  remember(origin: string): void {
    if (this.#origins[this.#origins.length - 1] === origin) return;
    this.#origins = [...this.#origins.filter((known) => known !== origin), origin].slice(-MAX_ORIGINS);
  }

  get origins(): readonly string[] {
    return this.#origins;
  }
}
