/** Opens an address in a page of the harness. */
import type { Session } from '../cdp/session.ts';

/** The main frame, or a sentence on why the page is not there. */
export type OpenedAddress = { frameId: string } | { problem: string };

/** @param isRefused by the status of the answer: then there is nothing to read. */
export async function openAddress(
  session: Session,
  url: string,
  isRefused: (status: number) => boolean,
  signal: AbortSignal,
): Promise<OpenedAddress> {
  let status: number | undefined;
  session.on('Network.responseReceived', ({ type, response, frameId, loaderId, requestId }) => {
    if (type === 'Document' && frameId !== undefined && requestId === loaderId) status = response.status;
  });
  // A dialog of this page gets no answer, and an open one would stop it.
  session.on('Page.javascriptDialogOpening', () => {
    void session.send('Page.handleJavaScriptDialog', { accept: false }).catch(() => {});
  });
  await Promise.all([session.send('Page.enable', {}, { signal }), session.send('Network.enable', {}, { signal })]);
  const { errorText, frameId } = await session.send('Page.navigate', { url }, { signal });
  if (errorText) return { problem: `${url} could not be opened: ${errorText}.` };
  if (status !== undefined && isRefused(status)) return { problem: `${url} was answered with the status ${status}.` };
  return { frameId };
}
