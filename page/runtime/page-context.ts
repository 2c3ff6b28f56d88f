/** What every step of an item works with. */
import { DEFAULT_SETTINGS, type RuntimePack, type Settings } from '../../src/capture/formats.ts';
import { ActiveClock } from './clock.ts';
import { Finder } from './finder.ts';
import { Notices } from './notices.ts';
import { Waiter } from './waiter.ts';

export interface PageContext {
  readonly pack: RuntimePack;
  readonly settings: Settings;
  readonly clock: ActiveClock;
  readonly finder: Finder;
  readonly notices: Notices;
  readonly waiter: Waiter;
  /** Something was sent, or may have been, since the chat was last seen empty. */
  isChatUsed: boolean;
  /** Runs work that needs the keyboard focus, and gives the focus back to the panel if it was there. */
  readonly borrowFocus: <T>(work: () => T) => T;
}

export function pageContext(pack: RuntimePack, borrowFocus: PageContext['borrowFocus']): PageContext {
  const settings: Settings = { ...DEFAULT_SETTINGS, ...pack.settings };
  const clock = new ActiveClock();
  const finder = new Finder(pack.selectors);
  return {
    pack,
    settings,
    clock,
    finder,
    notices: new Notices(finder, pack.notices),
    waiter: new Waiter(clock, settings.poll_ms),
    isChatUsed: false,
    borrowFocus,
  };
}
