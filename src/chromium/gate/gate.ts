/**
 * The gate: a CDP address for a foreign tool server that leads into one BrowserContext, or to one lane's pages in it, and nowhere else.
 * The browser itself listens on no port, so this is the only socket. Loopback only, an address that can't be guessed, one client at a time.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Connection } from '../cdp/connection.ts';
import type { Protocol } from '../cdp/protocol.ts';
import { GateClient, type GateHooks } from './gate-client.ts';

const MAX_REFUSALS_KEPT = 200;
const MAX_METHODS = 1_000;
/** A server that hangs does not answer the closing of its socket either. */
const GOODBYE_MS = 500;

export interface GateOptions {
  connection: Connection;
  contextId: string;
  /** The browser's name, told to the server. */
  product: string;
  /** A string refuses the command, with that reason. */
  guard?: (method: string, params: Record<string, unknown>) => string | undefined;
  /** The server acted on this page: the witness's "page used last". */
  onDrive?: (targetId: string) => void;
  /** Whether a page of the context holds this frame. Without it, downloads that a frame inside a page starts are not told to the server. */
  ownsFrame?: (frameId: string) => boolean;
  /** Whether the server may see a target of the context: one lane's, where there are several. Without it, all. */
  ownsTarget?: (info: Protocol.Target.TargetInfo) => boolean;
  /** Sends the server's command to open a page: what appears meanwhile is the server's own. */
  makePage?: (send: () => Promise<unknown>) => Promise<unknown>;
  /** CDP domains to allow beside the usual ones, where the browser is not shared (`Tracing`). */
  allowDomains?: readonly string[];
  /**
   * Answer `/json/version` without the secret, for servers that take a port only. Another program of this machine could then find the
   * address while no client is connected.
   */
  openDiscovery?: boolean;
}

/** What one episode's server did. A server that is on its way out writes into its own, not into the next episode's. */
interface Conduct {
  counts: Map<string, number>;
  refused: { method: string; reason: string }[];
  onDrive: (targetId: string) => void;
  ownsFrame: (frameId: string) => boolean;
  ownsTarget: (info: Protocol.Target.TargetInfo) => boolean;
  makePage: (send: () => Promise<unknown>) => Promise<unknown>;
}

export class Gate {
  readonly #http: Server;
  readonly #sockets: WebSocketServer;
  readonly #secret = randomBytes(16).toString('hex');
  readonly #options: GateOptions;
  #connection: Connection;
  #contextId: string;
  #conduct: Conduct;
  #client: { socket: WebSocket; ready: Promise<GateClient | undefined> } | undefined;
  #closed = false;

  private constructor(options: GateOptions) {
    this.#options = options;
    this.#connection = options.connection;
    this.#contextId = options.contextId;
    this.#conduct = newConduct(options);
    this.#http = createServer((request, response) => {
      const body = this.#discovery(request);
      response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body ?? { error: 'not found' }));
    });
    // No compression (it costs more than loopback), and no message larger than what a page upload could need.
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

  /** For `--cdp-endpoint`, `--browserUrl`. */
  get httpAddress(): string {
    return `http://127.0.0.1:${this.port}/${this.#secret}`;
  }

  /** For `--wsEndpoint`. */
  get wsAddress(): string {
    return `ws://127.0.0.1:${this.port}/${this.#secret}/devtools/browser/waymark`;
  }

  /** Every CDP method that the server used, with its count: what it really did. */
  get methods(): ReadonlyMap<string, number> {
    return this.#conduct.counts;
  }

  /** What was refused, the newest last; bounded. */
  get refused(): readonly { method: string; reason: string }[] {
    return this.#conduct.refused;
  }

  /**
   * Points the same address at another context (of any browser), for the next episode. The server is disconnected; it connects again with its
   * next call, as it would to a browser that was restarted, and its process is kept. A server with a call of its own to let go of its browser
   * (`browser_close` of @playwright/mcp) should get that first: it may not have noticed yet when its next call comes.
   */
  async retarget(
    to: Pick<GateOptions, 'connection' | 'contextId' | 'onDrive' | 'ownsFrame' | 'ownsTarget' | 'makePage'>,
  ): Promise<void> {
    this.#connection = to.connection;
    this.#contextId = to.contextId;
    this.#conduct = newConduct(to);
    await this.#disconnect('the gate leads to another context now');
  }

  /** Bounded, whatever server and browser do. */
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
    const client = this.#client;
    this.#client = undefined;
    if (!client) return;
    const { socket, ready } = client;
    const gone = new Promise((resolve) => socket.once('close', resolve));
    const isClosed = socket.readyState === socket.CLOSED;
    // First, because what the server says from now on must not be heard.
    const ended = ready.then((started) => started?.end());
    socket.close(1012, reason);
    const timer = setTimeout(() => socket.terminate(), GOODBYE_MS);
    if (!isClosed) await gone;
    clearTimeout(timer);
    await ended;
  }

  #discovery(request: IncomingMessage): unknown {
    if (!isLocal(request)) return undefined;
    const path = (request.url ?? '').replace(/\/+$/, '');
    const inside = this.#inside(path) ?? (this.#options.openDiscovery ? path : undefined);
    if (inside !== '/json/version') return undefined;
    return { Browser: this.#options.product, 'Protocol-Version': '1.3', webSocketDebuggerUrl: this.wsAddress };
  }

  #onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const refuse = (status: string): void => {
      socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`);
    };
    socket.on('error', () => socket.destroy());
    // A page in any browser may try a WebSocket to loopback, but it can't hide its Origin.
    if (!isLocal(request) || request.headers.origin !== undefined) return refuse('403 Forbidden');
    if (this.#inside(request.url ?? '')?.startsWith('/devtools/browser/') !== true) return refuse('404 Not Found');
    if (this.#closed) return refuse('503 Service Unavailable');
    if (this.#client) return refuse('409 Conflict');
    this.#sockets.handleUpgrade(request, socket, head, (client) => this.#onClient(client));
  }

  #onClient(socket: WebSocket): void {
    socket.on('error', () => socket.terminate());
    const extra = new Set(this.#options.allowDomains ?? []);
    const ready = GateClient.start(socket, this.#connection, this.#contextId, this.#hooks(), extra).catch(() => {
      socket.close(1011, 'the browser is gone');
      return undefined;
    });
    const client = { socket, ready };
    this.#client = client;
    socket.on('close', () => {
      void ready.then((started) => started?.end());
      if (this.#client === client) this.#client = undefined;
    });
  }

  #hooks(): GateHooks {
    const { counts, refused, onDrive, ownsFrame, ownsTarget, makePage } = this.#conduct;
    return {
      onCommand: (method, params) => {
        // Bounded: a hostile server could make up names without end.
        if (counts.size < MAX_METHODS || counts.has(method)) counts.set(method, (counts.get(method) ?? 0) + 1);
        return this.#options.guard?.(method, params);
      },
      onRefused: (method, reason) => {
        refused.push({ method, reason });
        if (refused.length > MAX_REFUSALS_KEPT) refused.shift();
      },
      onDrive,
      ownsFrame,
      ownsTarget,
      makePage,
    };
  }

  /** The path behind the secret, or undefined when the secret is wrong. */
  #inside(path: string): string | undefined {
    const given = Buffer.from(path.slice(1, 1 + this.#secret.length));
    const secret = Buffer.from(this.#secret);
    if (given.length !== secret.length || !timingSafeEqual(given, secret)) return undefined;
    return path.slice(1 + this.#secret.length);
  }
}

function newConduct({
  onDrive = () => {},
  ownsFrame = () => false,
  ownsTarget = () => true,
  makePage = (send) => send(),
}: Partial<GateOptions>): Conduct {
  return { counts: new Map(), refused: [], onDrive, ownsFrame, ownsTarget, makePage };
}

/** A name that was rebound to loopback carries that name in its Host header. */
function isLocal(request: IncomingMessage): boolean {
  return /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '');
}
