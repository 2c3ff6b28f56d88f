/** Streams the events of a journal of any length. */
import { WaymarkError } from '../errors/index.ts';
import type { JournalEvent, UnknownEvent } from '../events/index.ts';
import { JOURNAL_LIMITS, JOURNAL_VERSION, parseEvent } from '../events/index.ts';
import { unchained } from './hash-chain.ts';
import { corrupt, errnoOf, reasonOf } from './journal-error.ts';
import { type Line, readLines } from './read-lines.ts';

/** A last line without a newline: the event that was being written when the writer was killed. */
export interface TornLine {
  line: number;
  /** Offset of its first byte, which is also the length of the complete part. */
  offset: number;
  bytes: number;
}

export interface ReadOptions {
  onTorn?: ((torn: TornLine) => void) | undefined;
  /** Every whole line as it stands in the file, without its newline: to copy a journal while it is folded. */
  onLine?: ((bytes: Buffer) => void) | undefined;
}

/**
 * Streams a journal. An incomplete last line is skipped and reported to `onTorn`; any other problem throws with its position.
 *
 * @example
 * for await (const event of readJournal('events.jsonl')) {
 *   if (event.type === 'tool_call') console.log(event.tool);
 * }
 */
export async function* readJournal(
  file: string,
  options: ReadOptions = {},
): AsyncGenerator<JournalEvent | UnknownEvent, void, undefined> {
  let seq = 0;
  let ended = false;
  for await (const lines of linesOf(file)) {
    for (const line of lines) {
      if (!line.whole) {
        if (line.bytes.length > JOURNAL_LIMITS.lineBytes)
          throw corruptAt(file, line, 'the line is too long for an event');
        options.onTorn?.({ line: line.number, offset: line.offset, bytes: line.bytes.length });
        return;
      }
      const value = jsonOf(file, line);
      if (seq === 0) checkVersion(file, line, value);
      const parsed = parseEvent(value);
      if (!parsed.ok) throw corruptAt(file, line, parsed.problem);
      const { event } = parsed;
      if (event.seq !== seq) throw corruptAt(file, line, `expected event ${seq}, found event ${event.seq}`);
      if (ended) throw corruptAt(file, line, 'the event comes after the stop');
      if (event.type === 'start' && seq > 0) throw corruptAt(file, line, 'the journal has a second start event');
      ended = event.type === 'stop';
      seq++;
      options.onLine?.(line.bytes);
      yield event;
    }
  }
}

/**
 * Folds a journal into one value; events of unknown types are skipped.
 *
 * @example
 * const calls = await foldJournal('events.jsonl', (count, event) => count + (event.type === 'tool_call' ? 1 : 0), 0);
 */
export async function foldJournal<S>(
  file: string,
  fold: (state: S, event: JournalEvent) => S,
  initial: S,
  options: ReadOptions = {},
): Promise<S> {
  let state = initial;
  for await (const event of readJournal(file, options)) if (event.type !== 'unknown') state = fold(state, event);
  return state;
}

async function* linesOf(file: string): AsyncGenerator<Line[], void, undefined> {
  try {
    yield* readLines(file, JOURNAL_LIMITS.lineBytes);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    const missing = errnoOf(error) === 'ENOENT';
    throw new WaymarkError({
      code: 'journal_unreadable',
      message: `The journal ${file} could not be read: ${missing ? 'there is no such file' : reasonOf(error)}.`,
      cause: error,
    });
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function jsonOf(file: string, line: Line): unknown {
  let text: string;
  try {
    text = utf8.decode(line.bytes);
  } catch {
    throw corruptAt(file, line, 'the line is not UTF-8');
  }
  try {
    return JSON.parse(unchained(text));
  } catch {
    throw corruptAt(file, line, 'the line is not JSON');
  }
}

/** Checked before the rest of the first line, because a newer version may give its fields another meaning. */
function checkVersion(file: string, line: Line, value: unknown): void {
  const { type, v }: { type?: unknown; v?: unknown } = Object(value);
  if (type !== 'start' || typeof v !== 'number') throw corruptAt(file, line, 'the first event must be start');
  if (v <= JOURNAL_VERSION) return;
  throw new WaymarkError({
    code: 'journal_too_new',
    message: `The journal ${file} has version ${v}; this version of Waymark reads versions up to ${JOURNAL_VERSION}.`,
    hint: 'Read it with the version of Waymark that wrote it, or a later one.',
  });
}

function corruptAt(file: string, line: Line, what: string): WaymarkError {
  return corrupt(file, { line: line.number, offset: line.offset }, what);
}
