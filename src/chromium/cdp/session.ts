/** A typed view of one CDP session: the browser's own, or one attached to a page, a frame or a worker. */
import { type ErrorCode, WaymarkError } from '../../errors/index.ts';
import type { Command, EventName, EventParams, Params, Result } from './protocol.ts';
import { DEFAULT_TIMEOUT_MS, type Requester, type RequestOptions } from './request.ts';

type Handler = (params: never) => void;

export class Session {
  readonly #requester: Requester;
  readonly id: string;
  #handlers = new Map<string, Set<Handler>>();
  #detached = Promise.withResolvers<void>();
  /** The callers that wait in `next`. They are called when the session ends and removed when they are done; a promise would keep each of them for the life of the session. */
  #waiters = new Set<() => void>();
  #gone = false;

  constructor(requester: Requester, id: string) {
    this.#requester = requester;
    this.id = id;
  }

  get isAttached(): boolean {
    return !this.#gone;
  }

  /** Resolves when the session ends, for any reason. */
  get detached(): Promise<void> {
    return this.#detached.promise;
  }

  /** @example await page.send('Page.navigate', { url }, { signal, timeoutMs: 5_000 }) */
  async send<C extends Command>(method: C, params?: Params<C>, options?: RequestOptions): Promise<Result<C>> {
    if (this.#gone && this.#requester.isOpen) {
      throw new WaymarkError({ code: 'cdp_session_gone', message: `${method} was not sent: its page is gone.` });
    }
    return this.#requester.request(this.id, method, params, options);
  }

  /** Calls the handler on every event. Returns a function that unsubscribes. */
  on<E extends EventName>(event: E, handler: (params: EventParams<E>) => void): () => void {
    let handlers = this.#handlers.get(event);
    if (!handlers) {
      handlers = new Set();
      this.#handlers.set(event, handlers);
    }
    const known = handlers;
    known.add(handler as Handler);
    return () => known.delete(handler as Handler);
  }

  /** The next event that `accept` returns true for. Call it before the action that causes the event. */
  async next<E extends EventName>(
    event: E,
    accept: (params: EventParams<E>) => boolean = () => true,
    options: RequestOptions = {},
  ): Promise<EventParams<E>> {
    const { promise, resolve, reject } = Promise.withResolvers<EventParams<E>>();
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const fail = (code: ErrorCode, message: string): void => reject(new WaymarkError({ code, message }));
    const stop = this.on(event, (params) => {
      if (accept(params)) resolve(params);
    });
    const timer = setTimeout(() => fail('cdp_timeout', `${event} did not happen within ${timeoutMs} ms.`), timeoutMs);
    const onAbort = (): void => fail('cdp_aborted', `The wait for ${event} was aborted.`);
    if (options.signal?.aborted) onAbort();
    options.signal?.addEventListener('abort', onAbort, { once: true });
    const onGone = (): void => {
      if (this.#requester.isOpen) fail('cdp_session_gone', `${event} can't happen any more: the page is gone.`);
      else fail('cdp_closed', `${event} can't happen any more: the connection to the browser is lost.`);
    };
    if (this.#gone) onGone();
    this.#waiters.add(onGone);
    try {
      return await promise;
    } finally {
      stop();
      clearTimeout(timer);
      this.#waiters.delete(onGone);
      options.signal?.removeEventListener('abort', onAbort);
    }
  }

  /** For the connection. */
  deliver(event: string, params: unknown): void {
    const handlers = this.#handlers.get(event);
    if (!handlers) return;
    for (const handler of [...handlers]) handler(params as never);
  }

  /** For the connection. */
  markDetached(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#detached.resolve();
    for (const waiter of [...this.#waiters]) waiter();
  }
}
