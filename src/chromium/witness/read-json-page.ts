/** Opens an address in a page of the harness and reads the JSON that it shows: as a file, or written by its scripts. */
import { messageOf } from '../../errors/index.ts';
import type { Session } from '../cdp/session.ts';

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

export async function readJsonPage(session: Session, url: string, signal: AbortSignal): Promise<JsonPage> {
  let status: number | undefined;
  session.on('Network.responseReceived', ({ type, response, frameId, loaderId, requestId }) => {
    if (type === 'Document' && frameId !== undefined && requestId === loaderId) status = response.status;
  });
  // A dialog of this page gets no answer, and an open one would stop it.
  session.on('Page.javascriptDialogOpening', () => {
    void session.send('Page.handleJavaScriptDialog', { accept: false }).catch(() => {});
  });
  try {
    await Promise.all([session.send('Page.enable', {}, { signal }), session.send('Network.enable', {}, { signal })]);
    const { errorText } = await session.send('Page.navigate', { url }, { signal });
    if (errorText) return { problem: `${url} could not be opened: ${errorText}.` };
    if (status !== undefined && status >= 400) return { problem: `${url} was answered with the status ${status}.` };
    return await jsonOf(session, url, signal);
  } catch (error) {
    return signal.aborted ? await notJson(session, url) : { problem: `${url} could not be read: ${messageOf(error)}` };
  }
}

async function jsonOf(session: Session, url: string, signal: AbortSignal): Promise<JsonPage> {
  for (;;) {
    const next = session.next('Page.domContentEventFired', undefined, { signal, timeoutMs: 60_000 });
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
