/** Tells the recorder of one session's requests. While the witness has no recorder, nothing is kept here. */
import { messageOf } from '../../errors/index.ts';
import type { Session } from '../cdp/session.ts';
import { headerOf } from './hop-headers.ts';
import type { PendingRequest, RecordedContent } from './request-recorder.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * What one request id stands for: a request and the redirects after it. The headers of each come in events of their own, before or after
 * the request that they belong to, and in the same order.
 */
interface Chain {
  readonly hops: (PendingRequest | undefined)[];
  readonly sent: Record<string, string>[];
  readonly received: Record<string, string>[];
  /** Called when received headers come. */
  onReceived: () => void;
}

const READ_TIMEOUT_MS = 5_000;
/** Chains that are remembered; of more than these, the newest. Headers may come after the end of a request, so that none is removed by then. */
const MAX_CHAINS = 2_000;

export function recordRequests(session: Session, targetId: string, around: Pick<Surroundings, 'recorder'>): void {
  const chains = new Map<string, Chain>();
  const open = new Set<PendingRequest>();

  const chainOf = (requestId: string): Chain => {
    const known = chains.get(requestId);
    if (known) return known;
    if (chains.size >= MAX_CHAINS) chains.delete(chains.keys().next().value ?? '');
    const chain: Chain = { hops: [], sent: [], received: [], onReceived: () => {} };
    chains.set(requestId, chain);
    return chain;
  };
  const end = (hop: PendingRequest): void => {
    open.delete(hop);
    around.recorder()?.end(hop);
  };
  /** The cookies that a response sets may be told after it. */
  const awaitReceived = (chain: Chain, hop: PendingRequest, hasHeaders: boolean): void => {
    const index = chain.hops.length - 1;
    if (!hasHeaders || hop.parts.cookies.size === 0 || chain.received[index]) return;
    hop.reading.push(
      new Promise((resolve) => {
        chain.onReceived = () => chain.received[index] && resolve();
      }),
    );
  };
  const read = (hop: PendingRequest, part: 'body' | 'response', content: () => Promise<RecordedContent>): void => {
    hop.request[part] = { problem: 'It was not read in time.' };
    const reading = content().catch((error) => ({ problem: `It could not be read: ${messageOf(error)}` }));
    hop.reading.push(
      reading.then((found) => {
        hop.request[part] = found;
      }),
    );
  };

  session.on('Network.requestWillBeSent', ({ requestId, request, frameId, type, ...event }) => {
    const recorder = around.recorder();
    if (!recorder) return;
    const chain = chainOf(requestId);
    const before = chain.hops.at(-1);
    if (before && event.redirectResponse) {
      before.request.status = event.redirectResponse.status;
      awaitReceived(chain, before, event.redirectHasExtraInfo);
      end(before);
    }
    const { method, url, headers } = request;
    // A page's target id is its main frame's id.
    const hop = recorder.begin({ method, url, isNavigation: type === 'Document' && frameId === targetId });
    const index = chain.hops.push(hop) - 1;
    if (!hop) return;
    open.add(hop);
    hop.wire.asked = headers;
    Object.assign(hop.wire, { sent: chain.sent[index], received: chain.received[index] });
    if (!hop.parts.body || !request.hasPostData) return;
    const mediaType = headerOf(headers, 'content-type') ?? '';
    const { postData } = request;
    read(hop, 'body', async () => {
      if (postData !== undefined) return recorder.content(mediaType, postData);
      const longer = await session.send('Network.getRequestPostData', { requestId }, { timeoutMs: READ_TIMEOUT_MS });
      return recorder.content(mediaType, longer.postData);
    });
  });
  session.on('Network.requestWillBeSentExtraInfo', ({ requestId, headers }) => {
    if (!around.recorder()) return;
    const chain = chainOf(requestId);
    const hop = chain.hops[chain.sent.push(headers) - 1];
    if (hop) hop.wire.sent = headers;
  });
  session.on('Network.responseReceivedExtraInfo', ({ requestId, headers }) => {
    if (!around.recorder()) return;
    const chain = chainOf(requestId);
    const hop = chain.hops[chain.received.push(headers) - 1];
    if (hop) hop.wire.received = headers;
    chain.onReceived();
  });
  session.on('Network.responseReceived', ({ requestId, response, hasExtraInfo }) => {
    const chain = chains.get(requestId);
    const hop = chain?.hops.at(-1);
    if (!chain || !hop) return;
    hop.request.status = response.status;
    hop.mediaType = response.mimeType;
    awaitReceived(chain, hop, hasExtraInfo);
  });
  session.on('Network.loadingFinished', ({ requestId }) => {
    const hop = chains.get(requestId)?.hops.at(-1);
    const recorder = around.recorder();
    if (!hop || !recorder) return;
    if (hop.parts.response)
      read(hop, 'response', async () => {
        const how = { timeoutMs: READ_TIMEOUT_MS };
        const { body, base64Encoded } = await session.send('Network.getResponseBody', { requestId }, how);
        return base64Encoded ? { problem: 'It is not a text.' } : recorder.content(hop.mediaType ?? '', body);
      });
    end(hop);
  });
  session.on('Network.loadingFailed', ({ requestId, errorText }) => {
    const hop = chains.get(requestId)?.hops.at(-1);
    if (!hop) return;
    hop.request.failed = errorText;
    end(hop);
  });
  void session.detached.then(() => {
    for (const hop of open) {
      // The tab was closed: how the request went on is not known.
      if (hop.request.status === undefined) hop.request.open = true;
      else if (hop.parts.response) hop.request.response ??= { problem: 'Its tab was closed before it had come.' };
      end(hop);
    }
  });
}
