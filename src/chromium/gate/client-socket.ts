/** What a tool server is sent: answers, refusals and events. */
import type { WebSocket } from 'ws';
import type { BrowserOsTabs } from './browseros-tabs.ts';
import type { GateHooks } from './gate-hooks.ts';
import type { Incoming } from './gate-messages.ts';

/** A server that does not read its answers is disconnected before it fills the memory. */
const MAX_BUFFERED = 256 * 1024 * 1024;

export class ClientSocket {
  readonly #socket: WebSocket;
  readonly #tabs: BrowserOsTabs;
  readonly #hooks: Pick<GateHooks, 'onRefused'>;

  constructor(socket: WebSocket, tabs: BrowserOsTabs, hooks: Pick<GateHooks, 'onRefused'>) {
    this.#socket = socket;
    this.#tabs = tabs;
    this.#hooks = hooks;
  }

  send(data: Buffer | string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > MAX_BUFFERED) return this.#socket.terminate();
    this.#socket.send(data, { binary: false });
  }

  reply(request: Incoming, body: { result?: Record<string, unknown>; error?: unknown }): void {
    const { id, sessionId, method, params = {} } = request;
    const told = body.result ? { result: this.#tabs.answer(method, params, body.result) } : body;
    this.send(JSON.stringify(sessionId === undefined ? { id, ...told } : { id, ...told, sessionId }));
  }

  fail(request: Incoming, message: string): void {
    this.reply(request, { error: { code: -32000, message } });
  }

  /** The slot hears of it, too. */
  refuse(request: Incoming, code: number, message: string): void {
    this.#hooks.onRefused(request.method, message);
    this.reply(request, { error: { code, message } });
  }

  announce(sessionId: string | undefined, method: string | undefined, params: unknown): void {
    this.send(JSON.stringify({ method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }
}
