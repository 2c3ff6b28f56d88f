/** The episode of `docs/reference/events.md`. The tests use it as their sample, so that an error on the page fails one of them. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { EventType, JournalEvent, NewEvent } from '../../src/events/index.ts';
import type { Journal } from '../../src/journal/index.ts';

export const eventsPage = readFileSync(new URL('../../docs/reference/events.md', import.meta.url), 'utf8');

/** As on the page, not validated: a test does that. */
export const documentedEvents = [...eventsPage.matchAll(/^```json\n(.*?)^```$/gms)].map(
  (match): JournalEvent => JSON.parse(match[1] ?? ''),
);

/** The journal of a question on the same page. */
export const documentedQuestion = [...eventsPage.matchAll(/^```jsonl\n(.*?)^```$/gms)].flatMap(([, lines = '']) =>
  lines
    .trimEnd()
    .split('\n')
    .map((line): JournalEvent => JSON.parse(line)),
);

/** Without the fields that the journal adds. */
export function asNew(event: JournalEvent): NewEvent & { type: EventType } {
  const { seq, time, v, cut, ...rest } = event as JournalEvent & { v?: number };
  return rest as NewEvent & { type: EventType };
}

export const startOf = (): NewEvent<'start'> => {
  const [start] = documentedEvents;
  if (start?.type !== 'start') throw new Error('the page begins with a start');
  return asNew(start) as NewEvent<'start'>;
};

/** Appends the page's episode without its stop. */
export function appendSample(journal: Journal): void {
  for (const event of documentedEvents) if (event.type !== 'stop') journal.append(asNew(event));
}

export interface TestFolder extends Disposable {
  (name: string): string;
}

/** A temporary folder, removed at the end of the block. */
export function testFolder(): TestFolder {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-journal-'));
  return Object.assign((name: string) => path.join(folder, name), {
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  });
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** What a call throws; undefined if it throws nothing. */
export function thrownBy(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}
