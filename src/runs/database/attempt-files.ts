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

export class AttemptFiles implements Disposable {
  readonly folder: string;
  readonly #artifacts: Artifacts;
  readonly #prefix: string;
  readonly #kept = new Set<string>();
  /** One after the other: an attempt must not take the whole connection. */
  #keeping: Promise<unknown> = Promise.resolve();

  constructor(artifacts: Artifacts, attempt: AttemptRef, parent: string) {
    mkdirSync(parent, { recursive: true });
    this.folder = mkdtempSync(path.join(parent, 'attempt-'));
    this.#artifacts = artifacts;
    this.#prefix = attemptPrefix(attempt);
  }

  /** The picture of an event is on the disk before the event is appended. */
  onEvent(event: JournalEvent): void {
    const file = event.type === 'screenshot' ? event.file : undefined;
    if (file === undefined) return;
    // One that fails is tried again at the end.
    this.#keeping = this.#keeping.then(() => this.#keep(file)).catch(() => undefined);
  }

  /** Resolves when every file is kept. It may be called again after a failure. */
  async keepAll(): Promise<void> {
    await this.#keeping;
    for (const file of filesIn(this.folder)) if (!FOLDED.has(file)) await this.#keep(file);
  }

  async #keep(file: string): Promise<void> {
    if (this.#kept.has(file)) return;
    await this.#artifacts.put(`${this.#prefix}/${keyOf(file)}`, createReadStream(path.join(this.folder, file)));
    this.#kept.add(file);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Relative, with `/`. */
export function filesIn(folder: string): string[] {
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
