/** Opens an address in a page of the harness and reads what a contract asks of that page. */
import type { DomNeeded, PageFacts, PageNeeded } from '../../contracts/index.ts';
import { messageOf } from '../../errors/index.ts';
import type { Protocol } from '../cdp/protocol.ts';
import type { Session } from '../cdp/session.ts';
import { domFactsOf } from './dom-facts.ts';
import type { FrameReport } from './frame-report.ts';
import { WITNESS_SOURCE, WITNESS_WORLD } from './in-page.ts';
import { openAddress } from './open-address.ts';
import { readScripts } from './read-scripts.ts';

/** A page that keeps asking for things, or keeps changing, is read as it is after this time each. */
const QUIET_MS = 4_000;
const READ_MS = 5_000;

/** The timer runs in the page: whatever the page's own timers were to do before it is done, however busy the machine is. */
const UNCHANGED = `new Promise((resolve) => {
  let timer;
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(resolve, 500);
  };
  new MutationObserver(restart).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  restart();
})`;

/** What it could not read says why in `unavailable`. An error page is read like any other; only a failing server is not. */
export async function readPage(
  session: Session,
  url: string,
  needed: PageNeeded,
  signal: AbortSignal,
): Promise<PageFacts> {
  try {
    const opened = await openAddress(session, url, (status) => status >= 500, signal);
    if ('problem' in opened) return { unavailable: { dom: opened.problem } };
    await untilQuiet(session, opened.frameId, signal);
    const dom = domFactsOf(await reportOf(session, opened.frameId, needed, signal));
    if (needed.script.length === 0) return dom;
    // Elements first: an expression could change the page.
    const { script = {}, unavailable } = await readScripts(session, needed.script, { timeoutMs: READ_MS, signal });
    const why = { ...dom.unavailable, ...unavailable };
    return { ...dom, script, ...(Object.keys(why).length > 0 ? { unavailable: why } : {}) };
  } catch (error) {
    const why = signal.aborted ? 'it did not load in time' : messageOf(error);
    return { unavailable: { dom: `${url} could not be read: ${why}.` } };
  }
}

/** Scripts often fetch what a page shows: until no request is under way, and then until nothing changes in the document. */
async function untilQuiet(session: Session, frame: string, signal: AbortSignal): Promise<void> {
  const how = { signal, timeoutMs: QUIET_MS };
  const isIdle = ({ name, frameId }: Protocol.Page.LifecycleEventEvent): boolean =>
    name === 'networkIdle' && frameId === frame;
  const idle = session.next('Page.lifecycleEvent', isIdle, how);
  const goOn = (error: unknown): void => {
    if (signal.aborted || !session.isAttached) throw error;
  };
  // The events of the document that is there already are sent at once.
  await Promise.all([session.send('Page.setLifecycleEventsEnabled', { enabled: true }, how), idle]).catch(goOn);
  await session.send('Runtime.evaluate', { expression: UNCHANGED, awaitPromise: true }, how).catch(goOn);
}

async function reportOf(
  session: Session,
  frameId: string,
  needed: DomNeeded,
  signal: AbortSignal,
): Promise<FrameReport> {
  const how = { signal, timeoutMs: READ_MS };
  const world = { frameId, worldName: WITNESS_WORLD };
  const { executionContextId } = await session.send('Page.createIsolatedWorld', world, how);
  const { domText, domValue, domCount } = needed;
  const expression = `${WITNESS_SOURCE}; waymark.observe(${JSON.stringify({ domText, domValue, domCount })})`;
  const { result, exceptionDetails } = await session.send(
    'Runtime.evaluate',
    { expression, contextId: executionContextId, returnByValue: true },
    how,
  );
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as FrameReport;
}
