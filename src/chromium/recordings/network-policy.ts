/**
 * What a context may reach: everything, everything but writes to public hosts, only a recording, or nothing. The browser's Fetch domain enforces it on every session. In addition,
 * the network is emulated as unavailable, because WebSockets and WebRTC bypass the Fetch domain. What bypasses that too is refused by a script:
 * WebSockets of shared workers, and WebTransport.
 */
import type { Protocol } from '../cdp/protocol.ts';
import type { Session } from '../cdp/session.ts';
import { guardSockets, removeTransport } from './guard-sockets.ts';
import { bodyOf, entryBody, hashBody, type RecordedEntry, type Recording, requestKey } from './recording.ts';
import { listenSetCookies } from './set-cookies.ts';
import { isWrite, mayWriteTo, socketConditions, WRITING_TYPES } from './write-guard.ts';

export type NetworkPolicy =
  | { mode: 'live' }
  /** Everything may be read; requests that could change something on a public host are blocked, unless the host is in the list. */
  | { mode: 'guarded'; allowWrites: readonly string[] }
  /** Requests that are not in the recording are refused and reported to `onMiss`. */
  | { mode: 'replay'; recording: Recording; allowHosts?: readonly string[]; onMiss?: (request: string) => void }
  | { mode: 'blocked'; allowHosts?: readonly string[]; onMiss?: (request: string) => void }
  /** All requests pass, and their responses are recorded. */
  | { mode: 'record'; onEntry: (entry: RecordedEntry) => void };

/** A request that could have changed something, and was not sent. */
export interface BlockedRequest {
  /** The browser's name of it in the events of the Network domain, where it has one. */
  requestId: string | undefined;
  method: string;
  url: string;
  type: string;
}

/** Headers about the transfer (the recorded body is decoded and complete), and cookies, which come from another event. */
const DROPPED_HEADERS = new Set([
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'set-cookie',
]);

/** The policy of one context. A replay counts requests, so that the second request for a URL gets the second recorded response. */
export class NetworkGuard {
  readonly #policy: NetworkPolicy;
  readonly #onBlocked: (request: BlockedRequest) => void;
  readonly #answers = new Map<string, RecordedEntry[]>();
  readonly #given = new Map<string, number>();

  constructor(policy: NetworkPolicy, onBlocked: (request: BlockedRequest) => void = () => {}) {
    this.#policy = policy;
    this.#onBlocked = onBlocked;
    if (policy.mode !== 'replay') return;
    for (const entry of policy.recording.entries) {
      const key = requestKey(entry.method, entry.url, entry.requestBodyHash);
      const answers = this.#answers.get(key);
      if (answers) answers.push(entry);
      else this.#answers.set(key, [entry]);
    }
  }

  /** Applies the policy to a session, before the page, the frame or the worker runs. */
  apply(session: Session, kind: 'page' | 'worker'): Promise<unknown>[] {
    const policy = this.#policy;
    if (policy.mode === 'live') return [];
    if (policy.mode === 'guarded') return this.#guardWrites(session, policy.allowWrites);
    const decide =
      policy.mode === 'record' ? this.#recorder(session, policy.onEntry) : this.#decide.bind(this, session);
    session.on('Fetch.requestPaused', (event) => {
      // A page that closes in the meantime cancels its requests.
      void decide(event).catch(() => {});
    });
    const requestStage = policy.mode === 'record' ? 'Response' : 'Request';
    const patterns = [{ urlPattern: '*', requestStage } as const];
    return [
      session.send('Fetch.enable', { patterns }),
      ...this.#takeNetworkAway(session),
      ...this.#takeSocketsAway(session, kind),
    ];
  }

  /** Whether a WebSocket is kept from being opened: what is sent over one is not seen. */
  blocksSocket(url: string): boolean {
    return this.#policy.mode === 'guarded' && !mayWriteTo(url, this.#policy.allowWrites);
  }

  /** Only the kinds of requests that can write are held: pictures, styles and scripts pass without a round trip. */
  #guardWrites(session: Session, allowWrites: readonly string[]): Promise<unknown>[] {
    const decide = async ({ requestId, networkId, request, resourceType }: Protocol.Fetch.RequestPausedEvent) => {
      const { method, url } = request;
      if (!isWrite(method) || mayWriteTo(url, allowWrites)) {
        await session.send('Fetch.continueRequest', { requestId });
        return;
      }
      this.#onBlocked({ requestId: networkId, method, url, type: resourceType });
      await session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    };
    session.on('Fetch.requestPaused', (event) => {
      // A page that closes in the meantime cancels its requests.
      void decide(event).catch(() => {});
    });
    const patterns = WRITING_TYPES.map(
      (resourceType) => ({ urlPattern: '*', resourceType, requestStage: 'Request' }) as const,
    );
    const unlimited = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
    const matchedNetworkConditions = socketConditions(allowWrites).map((rule) => ({ ...unlimited, ...rule }));
    return [
      session.send('Fetch.enable', { patterns }),
      // Browsers that do not support it let sockets through.
      session.send('Network.emulateNetworkConditionsByRule', { matchedNetworkConditions }).catch(() => {}),
    ];
  }

  /** Unlike the older offline emulation, this does not change `navigator.onLine`. Browsers that do not support it have only the Fetch domain. */
  #takeNetworkAway(session: Session): Promise<unknown>[] {
    const policy = this.#policy;
    if (policy.mode !== 'replay' && policy.mode !== 'blocked') return [];
    const unlimited = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
    const allowed = (policy.allowHosts ?? []).map((host) => ({ urlPattern: `*://${host}:*/*`, ...unlimited }));
    const matchedNetworkConditions = [...allowed, { urlPattern: '', ...unlimited, offline: true }];
    // The page may be closed by now.
    return [session.send('Network.emulateNetworkConditionsByRule', { matchedNetworkConditions }).catch(() => {})];
  }

  /** Connections that neither the Fetch domain nor the emulated network sees are refused by a script, which runs before any other. */
  #takeSocketsAway(session: Session, kind: 'page' | 'worker'): Promise<unknown>[] {
    const policy = this.#policy;
    if (policy.mode !== 'replay' && policy.mode !== 'blocked') return [];
    if (kind === 'page') {
      const source = `(${removeTransport.toString()})()`;
      return [session.send('Page.addScriptToEvaluateOnNewDocument', { source, runImmediately: true })];
    }
    const expression = `(${removeTransport.toString()})(); (${guardSockets.toString()})(${JSON.stringify(policy.allowHosts ?? [])})`;
    return [session.send('Runtime.evaluate', { expression })];
  }

  async #decide(session: Session, event: Protocol.Fetch.RequestPausedEvent): Promise<void> {
    const { requestId, request } = event;
    const policy = this.#policy;
    if ((policy.mode !== 'replay' && policy.mode !== 'blocked') || policy.allowHosts?.includes(hostOf(request.url))) {
      await session.send('Fetch.continueRequest', { requestId });
      return;
    }
    const entry = this.#answerTo(request);
    if (entry) {
      await session.send('Fetch.fulfillRequest', {
        requestId,
        responseCode: entry.status,
        responseHeaders: entry.headers.map(([name, value]) => ({ name, value })),
        body: bodyOf(entry).toString('base64'),
      });
      return;
    }
    policy.onMiss?.(`${request.method} ${request.url}`);
    await session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
  }

  #answerTo(request: Protocol.Network.Request): RecordedEntry | undefined {
    const key = requestKey(request.method, request.url, hashBody(request));
    const answers = this.#answers.get(key);
    if (!answers) return undefined;
    const given = this.#given.get(key) ?? 0;
    this.#given.set(key, given + 1);
    return answers[Math.min(given, answers.length - 1)];
  }

  #recorder(session: Session, onEntry: (entry: RecordedEntry) => void) {
    const setCookiesOf = listenSetCookies(session);
    return async (event: Protocol.Fetch.RequestPausedEvent): Promise<void> => {
      const { requestId, networkId, request, responseStatusCode: status, responseHeaders = [] } = event;
      if (status !== undefined) {
        // A redirect has no body.
        const isRedirect = status >= 300 && status < 400 && status !== 304;
        const [{ body, base64Encoded }, setCookies] = await Promise.all([
          isRedirect ? { body: '', base64Encoded: false } : session.send('Fetch.getResponseBody', { requestId }),
          setCookiesOf(networkId),
        ]);
        const requestBodyHash = hashBody(request);
        const kept = responseHeaders.filter(({ name }) => !DROPPED_HEADERS.has(name.toLowerCase()));
        onEntry({
          method: request.method,
          url: request.url.replace(/#.*$/s, ''),
          ...(requestBodyHash ? { requestBodyHash } : {}),
          status,
          headers: [
            ...kept.map(({ name, value }): [string, string] => [name.toLowerCase(), value]),
            ...setCookies.map((value): [string, string] => ['set-cookie', value]),
          ],
          ...entryBody(Buffer.from(body, base64Encoded ? 'base64' : 'utf8')),
        });
      }
      await session.send('Fetch.continueRequest', { requestId });
    };
  }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}
