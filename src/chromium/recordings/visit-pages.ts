/** Visits pages one after the other in a slot, each until its network is idle. This makes a recording, and checks it. */
import { messageOf, WaymarkError } from '../../errors/index.ts';
import type { Slot } from '../pool/slot.ts';

export interface VisitOptions {
  /** A page whose network is never idle (polling, streams) is left after this time. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

export interface Visit {
  url: string;
  /** Where the page ended up, after redirects. */
  finalUrl: string;
  title: string;
  /** False where the network was still busy when the time was up. */
  wasQuiet: boolean;
}

export async function visitPages(slot: Slot, urls: readonly string[], options: VisitOptions): Promise<Visit[]> {
  const { session } = slot.firstPage;
  await session.send('Page.setLifecycleEventsEnabled', { enabled: true });
  const visits: Visit[] = [];
  for (const url of urls) {
    // Chromium's own measure: no request for half a second. Events of the previous page have another loader id.
    let loader = '';
    const early: string[] = [];
    const quiet = session.next(
      'Page.lifecycleEvent',
      ({ name, loaderId }) => {
        if (name !== 'networkIdle') return false;
        early.push(loaderId);
        return loaderId === loader;
      },
      options,
    );
    // It is awaited below; a failed navigation throws before that.
    quiet.catch(() => {});
    const { errorText, loaderId = '' } = await session.send('Page.navigate', { url }, options);
    if (errorText !== undefined) {
      throw new WaymarkError({
        code: 'page_not_loaded',
        message: `${url} could not be loaded: ${errorText}.`,
        hint: 'Check the address and the network, and record again.',
      });
    }
    loader = loaderId;
    const wasQuiet =
      early.includes(loaderId) ||
      (await quiet.then(
        () => true,
        (error: unknown) => {
          if (error instanceof WaymarkError && error.code === 'cdp_timeout') return false;
          throw new WaymarkError({ code: 'page_not_loaded', message: `${url}: ${messageOf(error)}`, cause: error });
        },
      ));
    const seen = await slot.witness.observe({ full: true });
    visits.push({ url, finalUrl: seen.url, title: seen.title, wasQuiet });
  }
  return visits;
}
