/** What stands beside a journal and is folded from it while it grows: the messages, the trajectory ledger, and at the end the metadata. */
import path from 'node:path';
import type { JournalEvent } from '../events/index.ts';
import { Attempts, MessageFold, MetadataFold, messageLines, type TraceMessage } from '../events/index.ts';
import { LedgerFile, putJson, SideFile } from '../journal/index.ts';

export const MESSAGES_FILE = 'messages.jsonl';
export const LEDGER_FILE = 'ledger.jsonl';
export const METADATA_FILE = 'metadata.json';

export class EpisodeFiles implements AsyncDisposable {
  readonly #folder: string;
  readonly #messages: SideFile;
  readonly #messageFold = new MessageFold();
  readonly #ledger: LedgerFile;
  readonly #attempts = new Attempts();
  readonly #metadata = new MetadataFold();
  #isEnded = false;

  /** The files can be made again from the journal: what goes wrong with them must not cost the episode anything. */
  constructor(folder: string, onWarning: (source: 'message_logging' | 'ledger', message: string) => void) {
    this.#folder = folder;
    this.#messages = new SideFile(path.join(folder, MESSAGES_FILE), {
      what: 'message trace',
      onWarning: (message) => onWarning('message_logging', message),
    });
    this.#ledger = new LedgerFile(path.join(folder, LEDGER_FILE), {
      onWarning: (message) => onWarning('ledger', message),
    });
  }

  add(event: JournalEvent): void {
    this.#isEnded ||= event.type === 'stop';
    this.#metadata.add(event);
    this.#write(this.#messageFold.add(event));
    for (const attempt of this.#attempts.add(event)) this.#ledger.add(attempt);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#write(this.#messageFold.end());
    await this.#messages.close();
    await this.#ledger.close();
    const metadata = this.#metadata.metadata();
    try {
      if (metadata) putJson(path.join(this.#folder, METADATA_FILE), metadata);
    } catch (error) {
      // Without a stop there is an error on its way already, which says more (a full disk, mostly).
      if (this.#isEnded) throw error;
    }
  }

  #write(messages: readonly TraceMessage[]): void {
    if (messages.length > 0) this.#messages.add(messageLines(messages));
  }
}
