/**
 * The gate: a CDP address for a foreign tool server that gives access to one episode's BrowserContext with those that the server creates in it,
 * or to one lane's pages, and to nothing else. The browser itself listens on no port, so this is the only socket. It listens on loopback, has an
 * unguessable address and accepts one client of the browser at a time, beside clients of single pages.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Connection } from '../cdp/connection.ts';
import type { Protocol } from '../cdp/protocol.ts';
import { answerDiscovery, type DiscoveryAnswer, pageOfPath } from './discovery.ts';
import { GateClient } from './gate-client.ts';
import type { GateContexts, GateHooks } from './gate-hooks.ts';

const MAX_REFUSALS_KEPT = 200;
const MAX_METHODS = 1_000;
/** How long to wait for a server to close its socket; a hanging server never does. */
const GOODBYE_MS = 500;
/** Clients of single pages at the same time. */
const MAX_PAGE_CLIENTS = 16;

export interface GateOptions {
  connection: Connection;
  contextId: string;
  /** Makes the contexts that the server asks for. */
  contexts: GateContexts;
  /** The browser's name, as the server sees it. */
  product: string;
  /** A returned string refuses the command with that reason. */
  guard?: (method: string, params: Record<string, unknown>) => string | undefined;
  /** Called when the server acted on this page, which the witness then takes as the page that was used last. */
  onDrive?: (targetId: string) => void;
  /** Whether a page of the context holds this frame. Without it, the server does not see downloads that a frame inside a page starts. */
  ownsFrame?: (frameId: string) => boolean;
  /** Whether the server may see a target of the context, where there are several lanes. Without it, all targets are visible. */
  ownsTarget?: (info: Protocol.Target.TargetInfo) => boolean;
  /** Sends the server's command to open a page. The page that appears in the meantime belongs to the server. */
  makePage?: (send: () => Promise<unknown>) => Promise<unknown>;
  /** Sends the server's keys that copy or paste. */
  useClipboard?: (send: () => Promise<unknown>) => Promise<unknown>;
  /** CDP domains to allow in addition to the usual ones, where the browser is not shared (`Tracing`). */
  allowDomains?: readonly string[];
  /**
   * Answers `/json/version` and `/json/list` without the secret, for servers that accept only a port. Another program on this machine could then
   * find the address.
   */
  openDiscovery?: boolean;
}

/** What the server of one episode did. A server that is being disconnected writes to its own record, not to that of the next episode. */
interface Conduct {
  hasConnected: boolean;
  ownContexts: Set<string>;
  contexts: GateContexts;
  counts: Map<string, number>;
  refused: { method: string; reason: string }[];
  onDrive: (targetId: string) => void;
  ownsFrame: (frameId: string) => boolean;
  ownsTarget: (info: Protocol.Target.TargetInfo) => boolean;
  makePage: (send: () => Promise<unknown>) => Promise<unknown>;
  useClipboard: (send: () => Promise<unknown>) => Promise<unknown>;
}

interface ConnectedClient {
  socket: WebSocket;
  /** Undefined for a client of the browser. */
  pageId: string | undefined;
  ready: Promise<GateClient | undefined>;
}

export class Gate {
  readonly #http: Server;
  readonly #sockets: WebSocketServer;
  readonly #secret = randomBytes(16).toString('hex');
  readonly #options: GateOptions;
  #connection: Connection;
  #contextId: string;
  #conduct: Conduct;
  #clients = new Set<ConnectedClient>();
  #closed = false;

  private constructor(options: GateOptions) {
    this.#options = options;
    this.#connection = options.connection;
    this.#contextId = options.contextId;
    this.#conduct = newConduct(options);
    this.#http = createServer((request, response) => {
      void this.#discovery(request).then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' });
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      });
    });
    // No compression, because it costs more than loopback saves, and no message larger than a file upload could need.
    this.#sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 128 * 1024 * 1024 });
    this.#http.on('upgrade', (request, socket, head) => this.#onUpgrade(request, socket, head));
  }

  static async open(options: GateOptions): Promise<Gate> {
    const gate = new Gate(options);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    gate.#http.once('error', reject);
    gate.#http.listen(0, '127.0.0.1', resolve);
    await promise;
    return gate;
  }

  get port(): number {
    return (this.#http.address() as AddressInfo).port;
  }

  /** For `--cdp-endpoint`. It ends with a slash, because some clients resolve `json/version` against it, and others append it. */
  get httpAddress(): string {
    return `http://127.0.0.1:${this.port}/${this.#secret}/`;
  }

  /** For `--wsEndpoint`. */
  get wsAddress(): string {
    return `ws://127.0.0.1:${this.port}/${this.#secret}/devtools/browser/waymark`;
  }

  /** Whether the server has connected since the gate leads to this context. A server that never does drives no browser, or another one. */
  get hasConnected(): boolean {
    return this.#conduct.hasConnected;
  }

  /** Every CDP method that the server used, with its count. */
  get methods(): ReadonlyMap<string, number> {
    return this.#conduct.counts;
  }

  /** The refused commands, the newest last. The list is bounded. */
  get refused(): readonly { method: string; reason: string }[] {
    return this.#conduct.refused;
  }

  /**
   * Points the same address to another context (of any browser), for the next episode. The server is disconnected and connects again with its
   * next call, as after a restart of the browser, so that its process can be reused. A server with its own call to release its browser
   * (`browser_close` of @playwright/mcp) should get that call first, because it may not have noticed the disconnect when its next call comes.
   */
  async retarget(
    to: Pick<
      GateOptions,
      'connection' | 'contextId' | 'contexts' | 'onDrive' | 'ownsFrame' | 'ownsTarget' | 'makePage' | 'useClipboard'
    >,
  ): Promise<void> {
    this.#connection = to.connection;
    this.#contextId = to.contextId;
    this.#conduct = newConduct(to);
    await this.#disconnect('the gate leads to another context now');
  }

  /** Ends within a bounded time, whatever the server and the browser do. */
  async close(): Promise<void> {
    this.#closed = true;
    const stopped = new Promise<void>((resolve) => this.#http.close(() => resolve()));
    await this.#disconnect('the gate is closed');
    this.#http.closeAllConnections();
    await stopped;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #disconnect(reason: string): Promise<void> {
    const clients = [...this.#clients];
    this.#clients.clear();
    await Promise.all(clients.map((client) => disconnect(client, reason)));
  }

  async #discovery(request: IncomingMessage): Promise<DiscoveryAnswer> {
    const path = pathOf(request);
    const inside = this.#inside(path) ?? (this.#options.openDiscovery ? path : undefined);
    if (!isLocal(request) || inside === undefined || this.#closed) return { status: 404, body: { error: 'not found' } };
    const { ownContexts, ownsTarget, onDrive, makePage } = this.#conduct;
    const contextId = this.#contextId;
    return await answerDiscovery(request.method ?? 'GET', inside, {
      connection: this.#connection,
      product: this.#options.product,
      contextId,
      wsAddress: (kind, id) => `ws://127.0.0.1:${this.port}/${this.#secret}/devtools/${kind}/${id}`,
      isOurs: (info) =>
        (info.browserContextId === contextId || ownContexts.has(info.browserContextId ?? '')) && ownsTarget(info),
      onDrive,
      makePage,
    });
  }

  #onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const refuse = (status: string): void => {
      socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`);
    };
    socket.on('error', () => socket.destroy());
    // A page in any browser can open a WebSocket to loopback, but it cannot hide its Origin.
    if (!isLocal(request) || request.headers.origin !== undefined) return refuse('403 Forbidden');
    const inside = this.#inside(pathOf(request)) ?? '';
    const pageId = pageOfPath(inside);
    if (pageId === undefined && !inside.startsWith('/devtools/browser/')) return refuse('404 Not Found');
    if (this.#closed) return refuse('503 Service Unavailable');
    const others = [...this.#clients].filter((client) => (client.pageId === undefined) === (pageId === undefined));
    if (others.length >= (pageId === undefined ? 1 : MAX_PAGE_CLIENTS)) return refuse('409 Conflict');
    this.#sockets.handleUpgrade(request, socket, head, (client) => this.#onClient(client, pageId));
  }

  #onClient(socket: WebSocket, pageId: string | undefined): void {
    this.#conduct.hasConnected = true;
    socket.on('error', () => socket.terminate());
    const ready = GateClient.start({
      socket,
      connection: this.#connection,
      contextId: this.#contextId,
      hooks: this.#hooks(),
      extraDomains: new Set(this.#options.allowDomains ?? []),
      pageId,
    }).catch(() => {
      const isGone = pageId !== undefined && this.#connection.isOpen;
      socket.close(1011, isGone ? 'no such page' : 'the browser is gone');
      return undefined;
    });
    const client = { socket, pageId, ready };
    this.#clients.add(client);
    socket.on('close', () => {
      void ready.then((started) => started?.end());
      this.#clients.delete(client);
    });
  }

  #hooks(): GateHooks {
    const { counts, refused, ...others } = this.#conduct;
    return {
      onCommand: (method, params) => {
        // Bounded, because a hostile server could send any number of invented names.
        if (counts.size < MAX_METHODS || counts.has(method)) counts.set(method, (counts.get(method) ?? 0) + 1);
        return this.#options.guard?.(method, params);
      },
      onRefused: (method, reason) => {
        refused.push({ method, reason });
        if (refused.length > MAX_REFUSALS_KEPT) refused.shift();
      },
      ...others,
    };
  }

  /** The path after the secret, or undefined when the secret is wrong. */
  #inside(path: string): string | undefined {
    const given = Buffer.from(path.slice(1, 1 + this.#secret.length));
    const secret = Buffer.from(this.#secret);
    if (given.length !== secret.length || !timingSafeEqual(given, secret)) return undefined;
    return path.slice(1 + this.#secret.length);
  }
}

function newConduct({
  contexts,
  onDrive = () => {},
  ownsFrame = () => false,
  ownsTarget = () => true,
  makePage = (send) => send(),
  useClipboard = (send) => send(),
}: Pick<GateOptions, 'contexts'> & Partial<GateOptions>): Conduct {
  return {
    hasConnected: false,
    ownContexts: new Set(),
    contexts,
    counts: new Map(),
    refused: [],
    onDrive,
    ownsFrame,
    ownsTarget,
    makePage,
    useClipboard,
  };
}

async function disconnect({ socket, ready }: ConnectedClient, reason: string): Promise<void> {
  const gone = new Promise((resolve) => socket.once('close', resolve));
  const isClosed = socket.readyState === socket.CLOSED;
  // This comes first, because messages of the server must be ignored from now on.
  const ended = ready.then((started) => started?.end());
  socket.close(1012, reason);
  const timer = setTimeout(() => socket.terminate(), GOODBYE_MS);
  if (!isClosed) await gone;
  clearTimeout(timer);
  await ended;
}

/** Clients that append a path to an address with a slash send two of them. */
function pathOf({ url = '/' }: IncomingMessage): string {
  return url.replace(/^[^?]*/, (path) => path.replace(/\/{2,}/g, '/'));
}

/** Refuses DNS rebinding: a request to a rebound name carries that name in its Host header. */
function isLocal(request: IncomingMessage): boolean {
  return /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '');
}
