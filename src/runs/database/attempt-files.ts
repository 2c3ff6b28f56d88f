/**
 * The files of an attempt that is under way on this machine: made in a temporary folder, and put among the artifacts. Pictures go there while
 * the attempt goes on; what else it left, when it ends. Files that are folds of the journal stay behind: they are made again from it.
 */
import { createReadStream, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { LEDGER_FILE, MESSAGES_FILE, METADATA_FILE } from '../../episode/index.ts';
import type { AttemptRef, JournalEvent } from '../../events/index.ts';
import type { Artifacts } from '../../store/index.ts';
import { attemptPrefix } from './attempt-columns.ts';

const FOLDED = new Set([MESSAGES_FILE, LEDGER_FILE, METADATA_FILE]);
/** Files that are put at the same time, when an attempt has ended. */
const AT_ONCE = 8;

export class AttemptFiles implements Disposable {
  readonly folder: string;
  readonly #artifacts: Artifacts;
  readonly #prefix: string;
  /** By file: those that are kept, or are on their way. */
  readonly #keeping = new Map<string, Promise<void>>();

  constructor(artifacts: Artifacts, attempt: AttemptRef, parent: string) {
    mkdirSync(parent, { recursive: true });
    this.folder = mkdtempSync(path.join(parent, 'attempt-'));
    this.#artifacts = artifacts;
    this.#prefix = attemptPrefix(attempt);
  }

  /** The picture of an event is on the disk before the event is appended. One that can't be kept now is tried again at the end. */
  onEvent(event: JournalEvent): void {
    const file = event.type === 'screenshot' ? event.file : undefined;
    if (file !== undefined) this.#keep(file).catch(() => undefined);
  }

  /** Resolves when the pictures of all events until now are kept, could not be kept, or have taken too long. */
  async picturesKept(timeoutMs: number): Promise<void> {
    if (this.#keeping.size === 0) return;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeoutMs);
    await Promise.race([Promise.allSettled(this.#keeping.values()), late]);
    clearTimeout(timer);
  }

  /** Resolves when every file is kept. It may be called again after a failure. */
  async keepAll(): Promise<void> {
    await Promise.allSettled(this.#keeping.values());
    const files = filesIn(this.folder).filter((file) => !FOLDED.has(file));
    for (let from = 0; from < files.length; from += AT_ONCE)
      await Promise.all(files.slice(from, from + AT_ONCE).map((file) => this.#keep(file)));
  }

  #keep(file: string): Promise<void> {
    const known = this.#keeping.get(file);
    if (known) return known;
    const content = contentOf(path.join(this.folder, file));
    const keeping = this.#artifacts.put(`${this.#prefix}/${keyOf(file)}`, content).then(
      () => undefined,
      (error: unknown) => {
        this.#keeping.delete(file);
        throw error;
      },
    );
    this.#keeping.set(file, keeping);
    return keeping;
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Opened when it is read: the error of a stream without a reader would end the process. */
async function* contentOf(file: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield* createReadStream(file);
}

/** Relative, with `/`. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
}

/** An agent may give its files any names. */
function keyOf(file: string): string {
  return file
    .split('/')
    .map((part) => part.replaceAll(/[^A-Za-z0-9._-]/g, '_').replace(/^[.-]/, '_'))
    .join('/');
}
