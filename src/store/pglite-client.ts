/**
 * The embedded database, in a thread of its own: it is one program that is busy until a statement is done, and in the server's thread every
 * request would wait for that. What this client has of PGlite's interface is what drizzle and pg-boss use.
 */
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { Turns } from './turns.ts';
import { keepReplacedCode } from './wasm-flags.ts';

export type PgliteWork =
  | {
      readonly kind: 'query';
      readonly text: string;
      readonly params: unknown[];
      readonly rowMode: 'array' | 'object';
      /** Types whose values stay text. */
      readonly asText: readonly number[];
    }
  /** In the text, `$1` stands for the file that holds the bytes. */
  | { readonly kind: 'copy'; readonly text: string; readonly bytes: Uint8Array<ArrayBuffer> }
  | {
      readonly kind: 'exec';
      readonly text: string;
      /** Outside a transaction: a block of statements that fails must not leave its own transaction open. */
      readonly isAlone: boolean;
    }
  | { readonly kind: 'listen' | 'unlisten'; readonly channel: string }
  | { readonly kind: 'close' };

export type PgliteRequest = PgliteWork & { readonly id: number };

export interface PgliteRows {
  readonly rows: unknown[];
  /** Fields whose values are texts of JSON. */
  readonly json: readonly (number | string)[];
}

/** Number 0 says that the database is open. */
type PgliteMessage =
  | { readonly id: number; readonly result?: unknown; readonly error?: Record<string, unknown> }
  | { readonly channel: string; readonly payload: string };

interface Rows {
  // biome-ignore lint/suspicious/noExplicitAny: the rows are of whoever asks, as PGlite has it.
  rows: any[];
}

interface QueryOptions {
  rowMode?: 'array' | 'object';
  /** Of drizzle: each returns the text as it is. A function can't be sent to a thread, so only the types are. */
  parsers?: Readonly<Record<number, unknown>>;
}

interface Session {
  query(text: string, params?: unknown[], options?: QueryOptions): Promise<Rows>;
  exec(text: string): Promise<Rows[]>;
}

/** TypeScript in a checkout, JavaScript in the package. */
const WORKER = path.join(import.meta.dirname, `pglite-worker${path.extname(import.meta.filename)}`);

/**
 * What drizzle's `select` makes, outside a transaction: it reads and does nothing else. Only drizzle asks for rows as arrays; SQL that is written
 * by hand is asked for as objects, and may be a lock or a signal.
 */
const isSelection = (text: string, { rowMode }: QueryOptions): boolean =>
  rowMode === 'array' && text.startsWith('select ');

const keyOf = (text: string, params: unknown[]): string =>
  JSON.stringify([text, params], (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));

function parseField(row: Record<number | string, unknown>, field: number | string): void {
  const text = row[field];
  if (typeof text === 'string') row[field] = JSON.parse(text);
}

const isBytes = (value: unknown): value is Uint8Array<ArrayBuffer> =>
  value instanceof Uint8Array && value.buffer instanceof ArrayBuffer;

export class PgliteClient implements Session {
  readonly #worker: Worker;
  readonly #turns = new Turns();
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #listeners = new Map<string, Set<(payload: string) => void>>();
  #lastId = 0;
  #ended: Error | undefined;

  private constructor(folder: string) {
    keepReplacedCode();
    this.#worker = new Worker(WORKER, { workerData: folder });
    this.#worker.on('message', (message: PgliteMessage) => this.#receive(message));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('The embedded database has ended.')));
  }

  static async open(folder: string): Promise<PgliteClient> {
    const client = new PgliteClient(folder);
    await client.#answer(0);
    return client;
  }

  query(text: string, params: unknown[] = [], options: QueryOptions = {}): Promise<Rows> {
    const ask = () => this.#query(text, params, options);
    return isSelection(text, options) ? this.#turns.read(keyOf(text, params), ask) : this.#turns.statement(ask);
  }

  /** Several statements without parameters. */
  exec(text: string): Promise<Rows[]> {
    return this.#turns.statement(() => this.#exec(text, true));
  }

  transaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#turns.transaction(async () => {
      // Statements are done in the order in which they are sent, so that the next one can be sent at once.
      const begun = this.#exec('BEGIN');
      begun.catch(() => undefined);
      try {
        const result = await work({
          query: (text, params = [], options = {}) => this.#query(text, params, options),
          exec: (text) => this.#exec(text),
        });
        await Promise.all([begun, this.#exec('COMMIT')]);
        return result;
      } catch (error) {
        // Where this fails too, the database is gone, and the error is the one that says so.
        await this.#exec('ROLLBACK').catch(() => undefined);
        throw error;
      }
    });
  }

  /** @returns a function that ends the listening. */
  async listen(channel: string, listener: (payload: string) => void): Promise<() => Promise<void>> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners);
    const own = (payload: string) => listener(payload);
    listeners.add(own);
    if (listeners.size === 1) await this.#turns.statement(() => this.#send({ kind: 'listen', channel }));
    return async () => {
      listeners.delete(own);
      if (listeners.size > 0 || this.#ended) return;
      await this.#turns.statement(() => this.#send({ kind: 'unlisten', channel }));
    };
  }

  /** Whatever has a turn or waits for one is done first. */
  async close(): Promise<void> {
    if (this.#ended) return;
    await this.#turns.transaction(() => this.#send({ kind: 'close' }));
    await this.#worker.terminate();
  }

  async #query(text: string, params: unknown[], { rowMode = 'object', parsers = {} }: QueryOptions): Promise<Rows> {
    const [bytes] = params;
    if (text.startsWith('copy ') && isBytes(bytes)) {
      return (await this.#send({ kind: 'copy', text, bytes }, [bytes.buffer])) as PgliteRows;
    }
    const asText = Object.keys(parsers).map(Number);
    const { rows, json } = (await this.#send({ kind: 'query', text, params, rowMode, asText })) as PgliteRows;
    for (const field of json) for (const row of rows as Record<number | string, unknown>[]) parseField(row, field);
    return { rows };
  }

  async #exec(text: string, isAlone = false): Promise<Rows[]> {
    return (await this.#send({ kind: 'exec', text, isAlone })) as Rows[];
  }

  /** What is moved is the caller's no more. */
  #send(work: PgliteWork, moved: ArrayBuffer[] = []): Promise<unknown> {
    const id = ++this.#lastId;
    const answer = this.#answer(id);
    if (!this.#ended) this.#worker.postMessage({ id, ...work } satisfies PgliteRequest, moved);
    return answer;
  }

  /** A thread that nobody waits for keeps no process alive. */
  #answer(id: number): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended);
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    this.#worker.ref();
    return waiting.promise;
  }

  #receive(message: PgliteMessage): void {
    if ('channel' in message) {
      for (const listener of this.#listeners.get(message.channel) ?? []) listener(message.payload);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (message.error) waiting?.reject(Object.assign(new Error(), message.error));
    else waiting?.resolve(message.result);
  }

  #fail(error: Error): void {
    this.#ended ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }
}
