/** Opens an address in a page of the harness and reads the JSON that it shows: as a file, or written by its scripts. */
import { messageOf } from '../../errors/index.ts';
import type { Session } from '../cdp/session.ts';
import { openAddress } from './open-address.ts';

/** The text, which is JSON; or a sentence on why there is none. */
export type JsonPage = { text: string } | { problem: string };

/** Characters. */
const MAX_TEXT = 5_000_000;

/** A script may write it after the page was loaded. The browser shows a JSON file in a `pre`. */
const JSON_TEXT = `new Promise((resolve) => {
  const read = () => {
    const text = document.querySelector('pre')?.textContent ?? document.body?.innerText ?? '';
    try {
      JSON.parse(text);
    } catch {
      return false;
    }
    resolve(text.length > ${MAX_TEXT} ? text.length : text);
    return true;
  };
  if (!read()) new MutationObserver(read).observe(document, { subtree: true, childList: true, characterData: true });
})`;
const FIRST_WORDS = `(document.body?.innerText ?? '').trim().slice(0, 200)`;

export async function readJsonPage(
  session: Session,
  url: string,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<JsonPage> {
  try {
    if (Object.keys(headers).length > 0)
      await session.send('Network.setExtraHTTPHeaders', { headers: { ...headers } }, { signal });
    const opened = await openAddress(session, url, (status) => status >= 400, signal);
    if ('problem' in opened) return opened;
    return await jsonOf(session, url, signal);
  } catch (error) {
    return signal.aborted ? await notJson(session, url) : { problem: `${url} could not be read: ${messageOf(error)}` };
  }
}

async function jsonOf(session: Session, url: string, signal: AbortSignal): Promise<JsonPage> {
  for (;;) {
    const next = session.next('Page.domContentEventFired', undefined, { signal, timeoutMs: 60_000 });
    // It is awaited below; until then a rejection must not count as unhandled.
    next.catch(() => {});
    try {
      const how = { expression: JSON_TEXT, awaitPromise: true, returnByValue: true };
      const { result } = await session.send('Runtime.evaluate', how, { signal, timeoutMs: 60_000 });
      if (typeof result.value === 'string') return { text: result.value };
      if (typeof result.value === 'number')
        return { problem: `${url} has ${result.value} characters, and at most ${MAX_TEXT} are read.` };
      return { problem: `${url} could not be read.` };
    } catch (error) {
      if (signal.aborted || !session.isAttached) throw error;
      // The page went to another document, which is read instead.
      await next;
    }
  }
}

async function notJson(session: Session, url: string): Promise<JsonPage> {
  const how = { expression: FIRST_WORDS, returnByValue: true };
  const words = await session.send('Runtime.evaluate', how, { timeoutMs: 500 }).then(
    ({ result }) => String(result.value ?? ''),
    () => '',
  );
  return { problem: `${url} showed no JSON in time${words === '' ? '' : `; it shows: ${words}`}` };
}
