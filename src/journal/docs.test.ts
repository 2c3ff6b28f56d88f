import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  collect,
  documentedEvents,
  documentedQuestion,
  eventsPage,
  testFolder,
} from '../../test/journal/documented-events.ts';
import { eventSchemas, JOURNAL_LIMITS } from '../events/index.ts';
import { readJournal } from './read-journal.ts';

describe('docs/reference/events.md', () => {
  it.each(documentedEvents.map((event) => [event.seq, event] as const))('event %d is valid', (_seq, event) => {
    expect(eventSchemas[event.type].safeParse(event).error?.issues).toBeUndefined();
  });

  it('shows every type, and every field of each', () => {
    for (const [type, schema] of Object.entries(eventSchemas)) {
      const shown = new Set(
        [...documentedEvents, ...documentedQuestion].filter((event) => event.type === type).flatMap(Object.keys),
      );
      // In words: only an event that was too long has `cut`, only a trace from elsewhere is `imported`, a call that `continues` a move follows
      // one that the page does not show, the `final` reward is of a look that it does not show, an `amended` one replaces another, only a look that failed has a `problem`, and only one after two that agreed is `settled`.
      const inWords = ['cut', 'imported', 'continues', 'final', 'amended', 'problem', 'settled', 'unproved'];
      expect(
        fieldsOf(schema).filter((field) => !inWords.includes(field) && !shown.has(field)),
        type,
      ).toEqual([]);
    }
  });

  it.each([
    ['a task', documentedEvents],
    ['a question', documentedQuestion],
  ])('is a valid journal of %s', async (_, events) => {
    using folder = testFolder();
    writeFileSync(folder('events.jsonl'), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    expect(await collect(readJournal(folder('events.jsonl')))).toEqual(events);
  });

  it('names the actual limits', () => {
    const { network, console, dialogs, downloads, popups, eventBytes, lineBytes } = JOURNAL_LIMITS;
    expect(eventsPage).toContain(`At most ${network}, ${console}, ${dialogs}, ${downloads} and ${popups} entries`);
    const mib = (bytes: number) => `at most ${bytes / 1024 / 1024} MiB`;
    expect(eventsPage).toContain(`A line has ${mib(eventBytes)}, and a \`message\` ${mib(lineBytes)}`);
  });
});

/** A start is of a task or of a question: the fields of both. */
function fieldsOf(schema: (typeof eventSchemas)[keyof typeof eventSchemas]): string[] {
  const shapes = 'options' in schema ? schema.options.map(({ shape }) => shape) : [schema.shape];
  return [...new Set(shapes.flatMap((shape) => Object.keys(shape)))];
}
