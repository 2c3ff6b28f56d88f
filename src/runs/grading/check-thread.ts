/**
 * Checks answers in a thread of its own, so that the server goes on answering. A check that takes too long or too much memory ends with its
 * thread: its item gets an error, and a new thread checks the others.
 */
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../errors/index.ts';
import { gradingError } from './grade-item.ts';
import type { NewGrade, PendingItem } from './pending-item.ts';

export interface CheckThreadData {
  /** The place, among the items of the request, of the one that is being checked; -1 before the first. */
  readonly current: Int32Array<SharedArrayBuffer>;
}

export interface CheckRequest {
  readonly items: readonly PendingItem[];
}

/** `judge` stands for an item that only a judge can grade. */
export type Checked = NewGrade | 'judge';

export interface CheckMessage {
  /** Those after the ones that were sent before. */
  readonly grades: readonly Checked[];
  readonly isEnd: boolean;
}

/** What came back, in the order of the request, and the item that ended the thread. */
interface Reply {
  readonly done: readonly Checked[];
  readonly failed?: { readonly at: number; readonly problem: string };
}

const LIMIT_MS = 10_000;
const MEMORY_MB = 512;
/** How often the time of an item is looked at: a check may take so much longer. */
const LOOK_MS = 250;
/** Without work for so long, the thread and its memory are given back. */
const IDLE_MS = 30_000;
/** TypeScript in a checkout, JavaScript in the package. */
const WORKER = path.join(import.meta.dirname, `check-worker${path.extname(import.meta.filename)}`);

export class CheckThread implements AsyncDisposable {
  readonly #limitMs: number;
  readonly #current = new Int32Array(new SharedArrayBuffer(4));
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** `limitMs` is for one item. */
  constructor({ limitMs = LIMIT_MS }: { limitMs?: number } = {}) {
    this.#limitMs = limitMs;
  }

  /** One request after the other. @throws the signal's reason when it is aborted. */
  async check(items: readonly PendingItem[], signal: AbortSignal): Promise<Checked[]> {
    const checked = this.#last.then(() => this.#checkAll(items, signal));
    this.#last = checked.catch(() => undefined);
    return await checked;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  async #checkAll(items: readonly PendingItem[], signal: AbortSignal): Promise<Checked[]> {
    const grades = new Map<PendingItem, Checked>();
    for (let open = items; open.length > 0; open = open.filter((item) => !grades.has(item))) {
      signal.throwIfAborted();
      const { done, failed } = await this.#request(open, signal);
      for (const [place, item] of open.entries()) {
        const grade = failed?.at === place ? gradingError(item.item.id, item.attempt, failed.problem) : done[place];
        if (grade) grades.set(item, grade);
      }
    }
    return items.flatMap((item) => grades.get(item) ?? []);
  }

  async #request(items: readonly PendingItem[], signal: AbortSignal): Promise<Reply> {
    clearTimeout(this.#idle);
    Atomics.store(this.#current, 0, -1);
    this.#worker ??= new Worker(WORKER, {
      workerData: { current: this.#current } satisfies CheckThreadData,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    const worker = this.#worker;
    worker.ref();
    const over = new AbortController();
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const done: Checked[] = [];
    const fail = (problem: string) => resolve({ done, failed: { at: Atomics.load(this.#current, 0), problem } });
    const onMessage = ({ grades, isEnd }: CheckMessage) => {
      done.push(...grades);
      if (isEnd) resolve({ done });
    };
    const onError = (error: unknown) => {
      // Before the first item it is the program's fault, and no item's.
      if (Atomics.load(this.#current, 0) < 0) reject(error);
      else fail(`The check failed: ${messageOf(error)}`);
    };
    worker.on('message', onMessage).on('error', onError);
    signal.addEventListener('abort', () => reject(signal.reason), { signal: over.signal });
    const watch = this.#watch(() => fail(`The check took longer than ${this.#limitMs / 1000} s.`));
    worker.postMessage({ items } satisfies CheckRequest);
    let isWhole = false;
    try {
      const reply = await promise;
      isWhole = reply.failed === undefined;
      return reply;
    } finally {
      over.abort();
      clearInterval(watch);
      worker.off('message', onMessage).off('error', onError);
      if (isWhole) this.#rest(worker);
      else await this[Symbol.asyncDispose]();
    }
  }

  #watch(onLate: () => void): NodeJS.Timeout {
    let seen = { at: -1, since: performance.now() };
    return setInterval(
      () => {
        const at = Atomics.load(this.#current, 0);
        if (at !== seen.at) seen = { at, since: performance.now() };
        else if (at >= 0 && performance.now() - seen.since > this.#limitMs) onLate();
      },
      Math.min(LOOK_MS, this.#limitMs),
    );
  }

  /** An idle thread keeps no process alive. */
  #rest(worker: Worker): void {
    worker.unref();
    this.#idle = setTimeout(() => void this[Symbol.asyncDispose](), IDLE_MS).unref();
  }
}
