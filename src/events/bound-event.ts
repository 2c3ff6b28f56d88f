/** One event over the limit is cut to fit: an episode does not fail because a page was long. */
import { eventSchemas, type JournalEvent } from './events.ts';
import { cutText, JOURNAL_LIMITS } from './limits.ts';

/** Half a contract's facts would give another verdict: what is judged is kept whole or not at all. */
const JUDGED = new Set(['task', 'facts', 'evidence']);
/** Characters of a string and entries of a list or record, from mild to harsh. No object of ours has 64 fields, no hash 256 characters. */
const LEVELS = [
  { text: 65_536, entries: 4096 },
  { text: 4096, entries: 512 },
  { text: 256, entries: 64 },
] as const;
type Level = (typeof LEVELS)[number];
/** The engine's own limit would be a stack overflow. A contract's evidence is far less deep than this. */
const MAX_DEPTH = 100;

export interface BoundEvent {
  event: JournalEvent;
  /** Without its newline. */
  line: string;
}

/**
 * The event as a line of at most `limit` bytes. One that is too long says in `cut` which fields are shortened or left out.
 * Throws what JSON.stringify throws for a value that is no JSON (a cycle, a bigint).
 */
export function boundEvent(event: JournalEvent, limit: number = bytesFor(event)): BoundEvent {
  const line = stringify(event);
  const bytes = line === undefined ? undefined : Buffer.byteLength(line);
  if (line !== undefined && bytes !== undefined && bytes <= limit) return { event, line };

  const draft = new Draft(event, bytes);
  draft.leaveOut((name, value) => JUDGED.has(name) && lengthOf(value) > limit / 2);
  for (const level of LEVELS) {
    draft.shorten(level);
    const fitted = draft.fitted(limit);
    if (fitted !== undefined) return fitted;
  }
  // Many short things: whole fields go, the longest first, as far as it is still an event.
  for (const name of draft.longestFirst()) {
    draft.leaveOut((other) => other === name);
    const fitted = draft.fitted(limit);
    if (fitted !== undefined) return fitted;
  }
  throw new RangeError(`it can't be cut to ${limit} bytes`);
}

/** With its newline, a line has one byte more, and with its hash some. What was asked and answered is graded: it is kept whole as far as a reader takes it. */
function bytesFor({ type }: JournalEvent): number {
  const { lineBytes, eventBytes, chainBytes } = JOURNAL_LIMITS;
  return (type === 'message' ? lineBytes : eventBytes) - chainBytes - 1;
}

/** An event on its way to becoming shorter. */
class Draft {
  #fields: Record<string, unknown>;
  #cut = new Set<string>();
  readonly #type: JournalEvent['type'];
  readonly #bytes: number | undefined;

  constructor(event: JournalEvent, bytes: number | undefined) {
    this.#fields = { ...event };
    this.#type = event.type;
    this.#bytes = bytes;
  }

  shorten(level: Level): void {
    for (const [name, value] of Object.entries(this.#fields)) {
      if (JUDGED.has(name)) continue;
      const shorter = shorten(value, level, 1);
      if (shorter === value) continue;
      this.#fields[name] = shorter;
      this.#cut.add(name);
    }
  }

  /** A field without which this would be no event stays. */
  leaveOut(unwanted: (name: string, value: unknown) => boolean): void {
    for (const [name, value] of Object.entries(this.#fields)) {
      if (!unwanted(name, value)) continue;
      const { [name]: _, ...rest } = this.#fields;
      if (!eventSchemas[this.#type].safeParse(rest).success) continue;
      this.#fields = rest;
      this.#cut.add(name);
    }
  }

  longestFirst(): string[] {
    const lengths = Object.entries(this.#fields).map(([name, value]) => ({ name, length: lengthOf(value) }));
    return lengths.sort((a, b) => b.length - a.length).map(({ name }) => name);
  }

  fitted(limit: number): BoundEvent | undefined {
    const cut = { ...(this.#bytes === undefined ? {} : { bytes: this.#bytes }), fields: [...this.#cut].sort() };
    const event = { ...this.#fields, cut } as JournalEvent;
    const line = stringify(event);
    return line === undefined || Buffer.byteLength(line) > limit ? undefined : { event, line };
  }
}

/** The value itself where nothing had to be cut. */
function shorten(value: unknown, level: Level, depth: number): unknown {
  if (typeof value === 'string') {
    return value.length <= level.text
      ? value
      : `${cutText(value, level.text - 64)}… (cut by the journal from ${value.length} characters)`;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return `… (cut by the journal: nested deeper than ${MAX_DEPTH})`;
  if (Array.isArray(value)) {
    const kept = value.slice(0, level.entries).map((inner) => shorten(inner, level, depth + 1));
    return kept.length === value.length && kept.every((inner, index) => inner === value[index]) ? value : kept;
  }
  let changed = false;
  const names = Object.keys(value);
  const kept = names.slice(0, level.entries).map((name): [string, unknown] => {
    const inner: unknown = Reflect.get(value, name);
    const shorter = shorten(inner, level, depth + 1);
    if (shorter !== inner) changed = true;
    return [name, shorter];
  });
  return changed || kept.length < names.length ? Object.fromEntries(kept) : value;
}

function lengthOf(value: unknown): number {
  return stringify(value)?.length ?? (value === undefined ? 0 : Number.POSITIVE_INFINITY);
}

/** Undefined where the text would be longer than a string can be, or the value too deep for the stack. */
function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
