/** Writes `events.jsonl` of one episode: one event per line, handed to the operating system before anything else happens. */
import { closeSync, fstatSync, ftruncateSync, openSync } from 'node:fs';
import { findingsOf, messageOf, WaymarkError } from '../errors/index.ts';
import {
  boundEvent,
  type EventOf,
  type EventType,
  eventSchemas,
  JOURNAL_VERSION,
  type JournalEvent,
  type NewEvent,
} from '../events/index.ts';
import { HashChain } from './hash-chain.ts';
import { errnoOf, writeFailed } from './journal-error.ts';
import { LineFile } from './line-file.ts';
import { readJournal } from './read-journal.ts';

export interface JournalOptions {
  /** Milliseconds since the epoch. */
  now?: (() => number) | undefined;
}

/** The current end of a journal. */
interface Position {
  length: number;
  time: number;
  ended: boolean;
}

/**
 * @example
 * await using journal = Journal.create(path.join(folder, 'events.jsonl'));
 * journal.append({ type: 'start', ...about });
 * journal.append({ type: 'reset', ok: true, findings: [], durationMs: 12 }); // { seq: 1, time: 1767225600012, type: 'reset', … }
 */
export class Journal implements AsyncDisposable {
  readonly file: string;
  readonly #lines: LineFile;
  readonly #now: () => number;
  readonly #chain: HashChain;
  #at: Position;

  private constructor(lines: LineFile, at: Position, options: JournalOptions, chain = new HashChain()) {
    this.#chain = chain;
    this.file = lines.file;
    this.#lines = lines;
    this.#at = at;
    this.#now = options.now ?? Date.now;
  }

  /** Creates a new journal. An existing file belongs to an earlier attempt and is never changed. */
  static create(file: string, options: JournalOptions = {}): Journal {
    let fd: number;
    try {
      fd = openSync(file, 'ax', 0o644);
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw writeFailed(file, error);
      throw new WaymarkError({
        code: 'journal_exists',
        message: `The journal ${file} already exists.`,
        hint: 'A journal is never overwritten: start a new attempt, or continue this one.',
        cause: error,
      });
    }
    return new Journal(new LineFile(file, fd, 0), { length: 0, time: Number.NEGATIVE_INFINITY, ended: false }, options);
  }

  /** Continues an existing journal. An incomplete last line is cut off: it was never acknowledged. */
  static async resume(file: string, options: JournalOptions = {}): Promise<Journal> {
    const at: Position = { length: 0, time: Number.NEGATIVE_INFINITY, ended: false };
    let torn: number | undefined;
    const onTorn = ({ offset }: { offset: number }) => {
      torn = offset;
    };
    const chain = new HashChain();
    const onLine = (bytes: Buffer) => void chain.follow(bytes);
    for await (const event of readJournal(file, { onTorn, onLine })) {
      at.length = event.seq + 1;
      at.time = event.time;
      at.ended ||= event.type === 'stop';
    }
    let fd: number | undefined;
    try {
      // Opened without O_CREAT: the file was read a moment ago.
      fd = openSync(file, 'a');
      if (torn !== undefined) ftruncateSync(fd, torn);
      return new Journal(new LineFile(file, fd, fstatSync(fd).size), at, options, chain);
    } catch (error) {
      if (fd !== undefined) closeSync(fd);
      throw writeFailed(file, error);
    }
  }

  /** How many events the journal has, which is also the number of the next event. */
  get length(): number {
    return this.#at.length;
  }

  /** The journal has its `stop` event and accepts no more events. */
  get ended(): boolean {
    return this.#at.ended;
  }

  /**
   * Writes an event and returns it with its number and time. When this returns, the event survives a kill -9 of this process.
   * It returns the event as it was given; a reader gets it after a round trip through JSON.
   */
  append<T extends EventType>(event: NewEvent<T> & { type: T }): EventOf<T> {
    this.#lines.check();
    const refused = this.#refusal(event.type);
    if (refused !== undefined) throw refused;
    const stamped = this.#stamp(event);
    const { error } = eventSchemas[stamped.type].safeParse(stamped);
    if (error !== undefined) throw this.#invalid(event.type, findingsOf(error).join('; '), error);
    const bound = this.#bound(stamped);
    this.#lines.append(Buffer.from(`${this.#chain.add(bound.line)}\n`));
    this.#at = { length: stamped.seq + 1, time: stamped.time, ended: stamped.type === 'stop' };
    return bound.event as EventOf<T>;
  }

  /** Syncs the file to the disk and closes it. May be called twice. */
  async close(): Promise<void> {
    await this.#lines.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #stamp(event: { type: EventType }): JournalEvent {
    // A clock that is set back must not make durations negative.
    const time = Math.max(this.#at.time, this.#now());
    const version = event.type === 'start' ? { v: JOURNAL_VERSION } : {};
    return { seq: this.#at.length, time, ...version, ...event } as JournalEvent;
  }

  #bound(event: JournalEvent): ReturnType<typeof boundEvent> {
    try {
      return boundEvent(event);
    } catch (error) {
      throw this.#invalid(event.type, messageOf(error), error);
    }
  }

  #refusal(type: EventType): WaymarkError | undefined {
    if (this.#at.ended) {
      return new WaymarkError({
        code: 'journal_ended',
        message: `The journal ${this.file} has ended; the event ${type} came after its stop.`,
      });
    }
    if ((type === 'start') === (this.#at.length === 0)) return undefined;
    return this.#invalid(type, type === 'start' ? 'the journal already has one' : 'the first event must be start');
  }

  #invalid(type: string, problem: string, cause?: unknown): WaymarkError {
    return new WaymarkError({
      code: 'journal_event_invalid',
      message: `A ${type} event was not written to ${this.file}: ${problem}.`,
      cause,
    });
  }
}
