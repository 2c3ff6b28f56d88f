import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { collect, documentedEvents, eventsPage, testFolder } from '../../test/journal/documented-events.ts';
import { eventSchemas, JOURNAL_LIMITS } from '../events/index.ts';
import { readJournal } from './read-journal.ts';

describe('docs/reference/events.md', () => {
  it.each(documentedEvents.map((event) => [event.seq, event] as const))('event %d is one', (_seq, event) => {
    expect(eventSchemas[event.type].safeParse(event).error?.issues).toBeUndefined();
  });

  it('shows every type, and every field of each', () => {
    for (const [type, schema] of Object.entries(eventSchemas)) {
      const shown = new Set(documentedEvents.filter((event) => event.type === type).flatMap(Object.keys));
      // `cut` is told in words: it is there only where an event was too long.
      expect(
        fieldsOf(schema).filter((field) => field !== 'cut' && !shown.has(field)),
        type,
      ).toEqual([]);
    }
  });

  it('is a journal as it stands', async () => {
    using folder = testFolder();
    writeFileSync(folder('events.jsonl'), documentedEvents.map((event) => `${JSON.stringify(event)}\n`).join(''));
    expect(await collect(readJournal(folder('events.jsonl')))).toEqual(documentedEvents);
  });

  it('names the limits that hold', () => {
    const { network, console, dialogs, downloads, popups, eventBytes } = JOURNAL_LIMITS;
    expect(eventsPage).toContain(`At most ${network}, ${console}, ${dialogs}, ${downloads} and ${popups} entries`);
    expect(eventsPage).toContain(`A line has at most ${eventBytes / 1024 / 1024} MiB.`);
  });
});

/** A start is of a task or of a question: the fields of both. */
function fieldsOf(schema: (typeof eventSchemas)[keyof typeof eventSchemas]): string[] {
  const shapes = 'options' in schema ? schema.options.map(({ shape }) => shape) : [schema.shape];
  return [...new Set(shapes.flatMap((shape) => Object.keys(shape)))];
}
