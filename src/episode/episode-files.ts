/** What stands beside a journal and is folded from it while it grows: the trajectory ledger, and at the end the metadata. */
import path from 'node:path';
import type { JournalEvent } from '../events/index.ts';
import { Attempts, MetadataFold } from '../events/index.ts';
import { LedgerFile, putJson } from '../journal/index.ts';

export const LEDGER_FILE = 'ledger.jsonl';
export const METADATA_FILE = 'metadata.json';

export class EpisodeFiles implements AsyncDisposable {
  readonly #folder: string;
  readonly #ledger: LedgerFile;
  readonly #attempts = new Attempts();
  readonly #metadata = new MetadataFold();
  #isEnded = false;

  constructor(folder: string, onWarning: (message: string) => void) {
    this.#folder = folder;
    // It can be made again from the journal: what goes wrong with it must not cost the episode anything.
    this.#ledger = new LedgerFile(path.join(folder, LEDGER_FILE), { onWarning });
  }

  add(event: JournalEvent): void {
    this.#isEnded ||= event.type === 'stop';
    this.#metadata.add(event);
    for (const attempt of this.#attempts.add(event)) this.#ledger.add(attempt);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#ledger.close();
    const metadata = this.#metadata.metadata();
    try {
      if (metadata) putJson(path.join(this.#folder, METADATA_FILE), metadata);
    } catch (error) {
      // Without a stop there is an error on its way already, which says more (a full disk, mostly).
      if (this.#isEnded) throw error;
    }
  }
}
