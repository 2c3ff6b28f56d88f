/** The browser of a server that has its own. The witness connects to it by its CDP address and observes its default context. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Browser, TargetHub, Witness, type WitnessOptions } from '../../chromium/index.ts';
import { WaymarkError } from '../../errors/index.ts';

const START_MS = 20_000;
const PAUSE_MS = 100;

export interface OwnBrowser extends AsyncDisposable {
  browser: Browser;
  witness: Witness;
}

export async function visitBrowser(
  address: string,
  options: WitnessOptions,
  signal: AbortSignal = AbortSignal.timeout(START_MS),
): Promise<OwnBrowser> {
  const browser = await connected(address, signal);
  try {
    const { root } = browser.connection;
    const hub = await TargetHub.start(browser.connection);
    const { targetInfos } = await root.send('Target.getTargets', {}, { signal });
    const pages = targetInfos.filter(({ type }) => type === 'page');
    const contextId = pages[0]?.browserContextId;
    if (contextId === undefined) {
      throw new WaymarkError({
        code: 'browser_has_no_page',
        message: `The browser at ${address} has no page open, so there is nothing to watch.`,
        hint: 'The server must have its browser open when it has answered its first call.',
      });
    }
    const witness = await Witness.watch(hub, contextId, options);
    // The hub has detached from the pages that existed before, because no witness listened yet, so they are announced once more.
    for (const { targetId, browserContextId } of pages) {
      if (browserContextId !== contextId) continue;
      await root.send('Target.attachToTarget', { targetId, flatten: true }, { signal });
      await witness.pageReady(targetId, signal);
    }
    const stopFollowing = followTabs(browser, witness);
    return {
      browser,
      witness,
      [Symbol.asyncDispose]: async () => {
        stopFollowing();
        witness.stop();
        await browser.close();
      },
    };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

/**
 * The witness observes the tab that was driven last. Nothing passes a gate here, so that is the tab that last went to another address, or that
 * was opened, but not by a page.
 */
function followTabs({ connection: { root } }: Browser, witness: Witness): () => void {
  // A new tab has no address at first, and is blank a moment later: that is no drive.
  const addressOf = (url: string): string => url || 'about:blank';
  const addresses = new Map(witness.pages.map(({ targetId, url }) => [targetId, addressOf(url)]));
  const offs = [
    root.on('Target.attachedToTarget', ({ targetInfo: { type, targetId, openerId, url } }) => {
      addresses.set(targetId, addressOf(url));
      if (type === 'page' && openerId === undefined) witness.use(targetId);
    }),
    root.on('Target.targetInfoChanged', ({ targetInfo: { targetId, url } }) => {
      if (addresses.get(targetId) === addressOf(url)) return;
      addresses.set(targetId, addressOf(url));
      witness.use(targetId);
    }),
  ];
  return () => {
    for (const off of offs) off();
  };
}

/** A server may start its browser at its first call, so the browser may appear a moment later. */
async function connected(address: string, signal: AbortSignal): Promise<Browser> {
  for (;;) {
    try {
      return await Browser.connect(address, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => {
        throw error;
      });
    }
  }
}
