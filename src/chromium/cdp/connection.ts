/**
 * One connection to a browser. Requests have deadlines, answers are matched by id, and events are routed by session.
 * A lost connection rejects all pending requests at once. Sessions of the gate are routed as raw frames.
 */
import { WaymarkError } from '../../errors/index.ts';
import { readHead } from './frame.ts';
import { PausedPages } from './paused-pages.ts';
import { DEFAULT_TIMEOUT_MS, type Requester, type RequestOptions } from './request.ts';
import { Session } from './session.ts';
import type { Transport } from './transport.ts';

export type RawHandler = (frame: Buffer) => void;

interface Waiting {
  method: string;
  resolve: (result: never) => void;
  reject: (error: WaymarkError) => void;
  raw: RawHandler | undefined;
  sessionId: string;
}

interface Message {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string };
  sessionId?: string;
}

export class Connection implements Requester {
  /** The browser's own session. */
  readonly root: Session;
  /** Resolves with the reason when the connection is lost or closed. Never rejects. */
  readonly closed: Promise<string>;
  readonly pausedPages = new PausedPages();
  #transport: Transport;
  #nextId = 1;
  #waiting = new Map<number, Waiting>();
  #sessions = new Map<string, Session>();
  #routes = new Map<string, RawHandler>();
  #onLost = new Set<() => void>();
  #lost: string | undefined;
  #setClosed: (reason: string) => void;

  constructor(transport: Transport) {
    this.#transport = transport;
    const { promise, resolve } = Promise.withResolvers<string>();
    this.closed = promise;
    this.#setClosed = resolve;
    this.root = new Session(this, '');
    this.#sessions.set('', this.root);
    transport.onFrame = (frame) => this.#receive(frame);
    transport.onClose = (reason) => this.#lose(reason);
  }

  get isOpen(): boolean {
    return this.#lost === undefined;
  }

  /** The session object for a session id of the browser. It is created on first use. */
  session(sessionId: string): Session {
    let session = this.#sessions.get(sessionId);
    if (!session) {
      session = new Session(this, sessionId);
      this.#sessions.set(sessionId, session);
    }
    return session;
  }

  /** Removes a session. Its pending requests are rejected, and its later frames are dropped. */
  forget(sessionId: string, why: string): void {
    this.#sessions.get(sessionId)?.markDetached();
    this.#sessions.delete(sessionId);
    for (const [id, waiting] of this.#waiting) {
      if (waiting.sessionId !== sessionId || waiting.raw) continue;
      this.#waiting.delete(id);
      waiting.reject(
        new WaymarkError({ code: 'cdp_session_gone', message: `${waiting.method} was not answered: ${why}.` }),
      );
    }
  }

  request(sessionId: string, method: string, params: unknown, options: RequestOptions = {}): Promise<never> {
    const { promise, resolve, reject } = Promise.withResolvers<never>();
    if (this.#lost !== undefined) {
      reject(this.#closedError(method, this.#lost));
      return promise;
    }
    const { signal } = options;
    if (signal?.aborted) {
      reject(abortedError(method, signal));
      return promise;
    }
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const id = this.#nextId++;
    const give = (error: WaymarkError): void => {
      if (!this.#waiting.delete(id)) return;
      settle();
      reject(error);
    };
    const timer = setTimeout(() => give(timeoutError(method, timeoutMs)), timeoutMs);
    const onAbort = (): void => give(abortedError(method, signal));
    signal?.addEventListener('abort', onAbort, { once: true });
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    this.#waiting.set(id, {
      method,
      sessionId,
      raw: undefined,
      resolve: (result) => {
        settle();
        resolve(result);
      },
      reject: (error) => {
        settle();
        reject(error);
      },
    });
    this.#transport.send(encode(id, method, params, sessionId));
    return promise;
  }

  /** For the gate: sends a message under a new id, returns the id, and passes the bytes of the answer to `raw`. Undefined: the connection is lost. */
  passOn(sessionId: string, method: string, params: unknown, raw: RawHandler): number | undefined {
    if (this.#lost !== undefined) return undefined;
    const id = this.#nextId++;
    this.#waiting.set(id, { method, sessionId, raw, resolve: () => {}, reject: () => {} });
    this.#transport.send(encode(id, method, params, sessionId));
    return id;
  }

  /** For the gate: stops waiting for these answers (a closed page never sends them). */
  abandon(ids: Iterable<number>): void {
    for (const id of ids) this.#waiting.delete(id);
  }

  /** Calls the handler when the connection is lost or closed. Returns a function that unsubscribes. Use it for short-lived listeners: a promise such as `closed` keeps its reactions in memory. */
  onLost(handler: () => void): () => void {
    if (this.#lost !== undefined) queueMicrotask(handler);
    else this.#onLost.add(handler);
    return () => this.#onLost.delete(handler);
  }

  /** For the gate: passes the events of this session to the handler as bytes. */
  route(sessionId: string, handler: RawHandler): void {
    this.#routes.set(sessionId, handler);
  }

  unroute(sessionId: string): void {
    this.#routes.delete(sessionId);
  }

  close(): void {
    this.#transport.close();
    this.#lose('closed by us');
  }

  #receive(frame: Buffer): void {
    const { id, sessionId } = readHead(frame);
    if (id !== undefined) {
      const waiting = this.#waiting.get(id);
      if (!waiting) return;
      this.#waiting.delete(id);
      if (waiting.raw) return waiting.raw(frame);
      const message = JSON.parse(frame.toString()) as Message;
      if (message.error) waiting.reject(refusedError(waiting.method, message.error));
      else waiting.resolve((message.result ?? {}) as never);
      return;
    }
    const route = this.#routes.get(sessionId);
    if (route) return route(frame);
    const session = this.#sessions.get(sessionId);
    if (!session) return;
    const message = JSON.parse(frame.toString()) as Message;
    if (message.method) session.deliver(message.method, message.params);
  }

  #lose(reason: string): void {
    if (this.#lost !== undefined) return;
    this.#lost = reason;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const one of waiting) one.reject(this.#closedError(one.method, reason));
    for (const session of this.#sessions.values()) session.markDetached();
    this.#routes.clear();
    this.#setClosed(reason);
    for (const handler of [...this.#onLost]) handler();
    this.#onLost.clear();
  }

  #closedError(method: string, reason: string): WaymarkError {
    return new WaymarkError({
      code: 'cdp_closed',
      message: `The connection to the browser is lost (${reason}); ${method} was not answered.`,
      hint: 'The browser ended or was killed. Run again; `waymark doctor` checks the browser.',
    });
  }
}

function encode(id: number, method: string, params: unknown, sessionId: string): string {
  return sessionId === ''
    ? JSON.stringify({ id, method, params: params ?? {} })
    : JSON.stringify({ id, method, params: params ?? {}, sessionId });
}

function timeoutError(method: string, timeoutMs: number): WaymarkError {
  return new WaymarkError({ code: 'cdp_timeout', message: `${method} was not answered within ${timeoutMs} ms.` });
}

function abortedError(method: string, signal: AbortSignal | undefined): WaymarkError {
  return new WaymarkError({ code: 'cdp_aborted', message: `${method} was aborted.`, cause: signal?.reason });
}

function refusedError(method: string, error: { code: number; message: string }): WaymarkError {
  return new WaymarkError({ code: 'cdp_refused', message: `${method} was refused by the browser: ${error.message}` });
}
