/** `events.jsonl` of one episode, as it is written: one event a line, each on the disk's side before the next thing happens. */
import { closeSync, fstatSync, ftruncateSync, openSync } from 'node:fs';
import { findingsOf, messageOf, WaymarkError } from '../errors/index.ts';
import {
  boundEvent,
  type EventOf,
  type EventType,
  eventSchemas,
  JOURNAL_LIMITS,
  JOURNAL_VERSION,
  type JournalEvent,
  type NewEvent,
} from '../events/index.ts';
import { errnoOf, writeFailed } from './journal-error.ts';
import { LineFile } from './line-file.ts';
import { readJournal } from './read-journal.ts';

export interface JournalOptions {
  /** Milliseconds since the epoch. */
  now?: (() => number) | undefined;
}

/** Where a journal stands. */
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
  #at: Position;

  private constructor(lines: LineFile, at: Position, options: JournalOptions) {
    this.file = lines.file;
    this.#lines = lines;
    this.#at = at;
    this.#now = options.now ?? Date.now;
  }

  /** A new journal. A file that is there already is an earlier attempt's, and is never touched. */
  static create(file: string, options: JournalOptions = {}): Journal {
    let fd: number;
    try {
      fd = openSync(file, 'ax', 0o644);
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw writeFailed(file, error);
      throw new WaymarkError({
        code: 'journal_exists',
        message: `The journal ${file} is there already.`,
        hint: 'A journal is never written over: number the attempt, or continue this one.',
        cause: error,
      });
    }
    return new Journal(new LineFile(file, fd, 0), { length: 0, time: Number.NEGATIVE_INFINITY, ended: false }, options);
  }

  /** Goes on where a journal ends. A torn last line is cut off: it was never acknowledged. */
  static async resume(file: string, options: JournalOptions = {}): Promise<Journal> {
    const at: Position = { length: 0, time: Number.NEGATIVE_INFINITY, ended: false };
    let torn: number | undefined;
    const onTorn = ({ offset }: { offset: number }) => {
      torn = offset;
    };
    for await (const event of readJournal(file, { onTorn })) {
      at.length = event.seq + 1;
      at.time = event.time;
      at.ended ||= event.type === 'stop';
    }
    let fd: number | undefined;
    try {
      // Not created here: what was read a moment ago is there.
      fd = openSync(file, 'a');
      if (torn !== undefined) ftruncateSync(fd, torn);
      return new Journal(new LineFile(file, fd, fstatSync(fd).size), at, options);
    } catch (error) {
      if (fd !== undefined) closeSync(fd);
      throw writeFailed(file, error);
    }
  }

  /** How many events it has; the next one gets this number. */
  get length(): number {
    return this.#at.length;
  }

  /** It has its `stop`, and takes nothing more. */
  get ended(): boolean {
    return this.#at.ended;
  }

  /**
   * Writes an event and returns it with its number and time. When this returns, the event outlives a kill -9 of this process.
   * What is returned is what was given; what a reader gets has been through JSON.
   */
  append<T extends EventType>(event: NewEvent<T> & { type: T }): EventOf<T> {
    this.#lines.check();
    const refused = this.#refusal(event.type);
    if (refused !== undefined) throw refused;
    const stamped = this.#stamp(event);
    const { error } = eventSchemas[stamped.type].safeParse(stamped);
    if (error !== undefined) throw this.#invalid(event.type, findingsOf(error).join('; '), error);
    const bound = this.#bound(stamped);
    this.#lines.append(Buffer.from(`${bound.line}\n`));
    this.#at = { length: stamped.seq + 1, time: stamped.time, ended: stamped.type === 'stop' };
    return bound.event as EventOf<T>;
  }

  /** Puts what was written on the disk for good and lets go of the file. May be called twice. */
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
      return boundEvent(event, JOURNAL_LIMITS.eventBytes - 1);
    } catch (error) {
      throw this.#invalid(event.type, messageOf(error), error);
    }
  }

  #refusal(type: EventType): WaymarkError | undefined {
    if (this.#at.ended) {
      return new WaymarkError({
        code: 'journal_ended',
        message: `The journal ${this.file} has its stop; ${type} came after it.`,
      });
    }
    if ((type === 'start') === (this.#at.length === 0)) return undefined;
    return this.#invalid(type, type === 'start' ? 'there is one already' : 'the first event is start');
  }

  #invalid(type: string, problem: string, cause?: unknown): WaymarkError {
    return new WaymarkError({
      code: 'journal_event_invalid',
      message: `A ${type} event was not written to ${this.file}: ${problem}.`,
      cause,
    });
  }
}
