/** A CDP client as a foreign tool server has one: a bare WebSocket, no help from our own client. */
import { once } from 'node:events';
import WebSocket from 'ws';

type Fields = Record<string, unknown>;

export interface RawMessage {
  id?: number;
  method?: string;
  params?: Fields;
  result?: Fields;
  error?: { code: number; message: string };
  sessionId?: string;
}

const DEADLINE_MS = 15_000;

export class RawClient {
  readonly socket: WebSocket;
  /** Every event so far. */
  readonly events: RawMessage[] = [];
  /** Resolves with code and reason when the other side hangs up. */
  readonly closed: Promise<{ code: number; reason: string }>;
  #nextId = 1;
  #waiting = new Map<number, (message: RawMessage) => void>();
  #listeners = new Set<(message: RawMessage) => void>();

  private constructor(socket: WebSocket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
    socket.on('error', () => {});
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as RawMessage;
      if (message.method !== undefined) this.events.push(message);
      const answered = message.id === undefined ? undefined : this.#waiting.get(message.id);
      if (answered && message.id !== undefined) {
        this.#waiting.delete(message.id);
        answered(message);
      }
      for (const listener of [...this.#listeners]) listener(message);
    });
  }

  static async connect(address: string, options: WebSocket.ClientOptions = {}): Promise<RawClient> {
    const socket = new WebSocket(address, { perMessageDeflate: false, ...options });
    await once(socket, 'open');
    return new RawClient(socket);
  }

  /** The status of a refused upgrade. */
  static async refusal(address: string, options: WebSocket.ClientOptions = {}): Promise<number | 'open'> {
    const socket = new WebSocket(address, options);
    socket.on('error', () => {});
    return await new Promise((resolve) => {
      socket.on('open', () => {
        socket.terminate();
        resolve('open');
      });
      socket.on('unexpected-response', (request, response) => {
        request.destroy();
        resolve(response.statusCode ?? 0);
      });
    });
  }

  /** The whole answer: result or error. */
  ask(method: string, params: Fields = {}, sessionId?: string): Promise<RawMessage> {
    const id = this.#nextId++;
    const { promise, resolve } = Promise.withResolvers<RawMessage>();
    this.#waiting.set(id, resolve);
    this.socket.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
    return this.#within(promise, `an answer to ${method}`);
  }

  /** The result, where an error is a failure of the test. */
  async send(method: string, params: Fields = {}, sessionId?: string): Promise<Fields> {
    const { result, error } = await this.ask(method, params, sessionId);
    if (error) throw new Error(`${method}: ${error.message} (${error.code})`);
    return result ?? {};
  }

  /** The first message, past or to come, that `accept` takes. */
  event(method: string, accept: (params: Fields, sessionId?: string) => boolean = () => true): Promise<RawMessage> {
    const fits = (message: RawMessage): boolean =>
      message.method === method && accept(message.params ?? {}, message.sessionId);
    const past = this.events.find(fits);
    if (past) return Promise.resolve(past);
    return this.message(fits, method);
  }

  /** The next message that `accept` takes. */
  message(accept: (message: RawMessage) => boolean, what: string): Promise<RawMessage> {
    const { promise, resolve } = Promise.withResolvers<RawMessage>();
    const listener = (message: RawMessage): void => {
      if (accept(message)) resolve(message);
    };
    this.#listeners.add(listener);
    return this.#within(promise, what).finally(() => this.#listeners.delete(listener));
  }

  /** A session attached to the target. */
  async attach(targetId: string): Promise<string> {
    return String((await this.send('Target.attachToTarget', { targetId, flatten: true }))['sessionId']);
  }

  async evaluate<T>(sessionId: string, expression: string): Promise<T> {
    const params = { expression, returnByValue: true, awaitPromise: true, userGesture: true };
    const answer = await this.send('Runtime.evaluate', params, sessionId);
    return (answer['result'] as { value: T }).value;
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.terminate();
    await this.closed;
  }

  #within<T>(promise: Promise<T>, what: string): Promise<T> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`The client waited ${DEADLINE_MS} ms for ${what}`)), DEADLINE_MS);
    const lost = this.closed.then(({ reason }) => {
      throw new Error(`The connection was closed (${reason}) while the client waited for ${what}`);
    });
    lost.catch(() => {});
    return Promise.race([promise, late, lost]).finally(() => clearTimeout(timer));
  }
}
