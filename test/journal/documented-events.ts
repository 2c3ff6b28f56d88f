/** The episode that `docs/reference/events.md` tells: the sample of these tests, so that the page can't be wrong without one of them failing. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { EventType, JournalEvent, NewEvent } from '../../src/events/index.ts';
import type { Journal } from '../../src/journal/index.ts';

export const eventsPage = readFileSync(new URL('../../docs/reference/events.md', import.meta.url), 'utf8');

/** As they stand on the page, unchecked: checking them is a test's part. */
export const documentedEvents = [...eventsPage.matchAll(/^```json\n(.*?)^```$/gms)].map(
  (match): JournalEvent => JSON.parse(match[1] ?? ''),
);

/** Without what the journal gives. */
export function asNew(event: JournalEvent): NewEvent & { type: EventType } {
  const { seq, time, v, cut, ...rest } = event as JournalEvent & { v?: number };
  return rest as NewEvent & { type: EventType };
}

export const startOf = (): NewEvent<'start'> => {
  const [start] = documentedEvents;
  if (start?.type !== 'start') throw new Error('the page begins with a start');
  return asNew(start) as NewEvent<'start'>;
};

/** Appends the page's episode up to and without its stop. */
export function appendSample(journal: Journal): void {
  for (const event of documentedEvents) if (event.type !== 'stop') journal.append(asNew(event));
}

export interface TestFolder extends Disposable {
  (name: string): string;
}

/** A folder of its own, gone at the end of the block. */
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

/** What a call throws; undefined where it throws nothing. */
export function thrownBy(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}
