import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collect, documentedEvents, testFolder } from '../../test/journal/documented-events.ts';
import { JOURNAL_LIMITS } from '../events/index.ts';
import { foldJournal, readJournal, type TornLine } from './read-journal.ts';

const lines = documentedEvents.map((event) => JSON.stringify(event));
const text = (...list: string[]): string => list.map((line) => `${line}\n`).join('');
const [start = '', reset = ''] = lines;

/** Reads a file of these bytes; returns the events or the error. */
async function read(bytes: string | Buffer): Promise<{ types: string[]; torn: TornLine[]; error?: unknown }> {
  using folder = testFolder();
  writeFileSync(folder('events.jsonl'), bytes);
  const types: string[] = [];
  const torn: TornLine[] = [];
  try {
    for await (const { type } of readJournal(folder('events.jsonl'), { onTorn: (line) => torn.push(line) }))
      types.push(type);
  } catch (error) {
    return {
      types,
      torn,
      error: { code: Reflect.get(Object(error), 'code'), text: String(error).split(': ').slice(2).join(': ') },
    };
  }
  return { types, torn };
}

describe('readJournal', () => {
  it('reads an empty journal as no events', async () => {
    expect(await read('')).toEqual({ types: [], torn: [] });
  });

  it('skips a last line that is incomplete after any of its bytes, and reports its position', async () => {
    const before = Buffer.from(text(start, reset));
    const last = Buffer.from(
      '{"seq":2,"time":1767225600041,"type":"message","message":{"type":"user","content":"ü 😀 日本"}}',
    );
    for (let length = 0; length <= last.length; length++) {
      expect(await read(Buffer.concat([before, last.subarray(0, length)]))).toEqual({
        types: ['start', 'reset'],
        torn: length === 0 ? [] : [{ line: 3, offset: before.length, bytes: length }],
      });
    }
    expect((await read(Buffer.concat([before, last, Buffer.from('\n')]))).types).toEqual(['start', 'reset', 'message']);
  });

  it('names line and byte of a damaged line', async () => {
    using folder = testFolder();
    const file = folder('events.jsonl');
    writeFileSync(file, text(start, '{"seq":1,"ti', reset));
    await expect(collect(readJournal(file))).rejects.toMatchObject({
      code: 'journal_corrupt',
      message: `The journal ${file} is damaged at line 2 (byte ${Buffer.byteLength(start) + 1}): the line is not JSON.`,
    });
  });

  it.each([
    [
      'bytes that are no UTF-8',
      Buffer.concat([Buffer.from(text(start)), Buffer.from([0xc3, 0x28, 0x0a])]),
      'the line is not UTF-8.',
    ],
    ['an empty line', text(start, '', reset), 'the line is not JSON.'],
    ['a value that is no event', text(start, '[]'), 'it is no event.'],
    ['an event without a number', text(start, '{"type":"reset"}'), 'it has no seq, time and type.'],
    ['a number that is missing', text(start, ...lines.slice(2)), 'expected event 1, found event 2.'],
    ['a line twice', text(start, reset, reset), 'expected event 2, found event 1.'],
    ['a second start', text(start, start.replace('"seq":0', '"seq":1')), 'the journal has a second start event.'],
    [
      'an event after the stop',
      text(...lines, reset.replace('"seq":1', `"seq":${lines.length}`)),
      'the event comes after the stop.',
    ],
    ['another beginning', text(reset.replace('"seq":1', '"seq":0')), 'the first event must be start.'],
    [
      'a known event that is wrong',
      text(start, '{"seq":1,"time":1,"type":"progress"}'),
      'it is not a valid progress event: status: Invalid input: expected string, received undefined.',
    ],
  ])('refuses %s', async (_name, bytes, what) => {
    expect((await read(bytes)).error).toEqual({ code: 'journal_corrupt', text: what });
  });

  it('refuses a journal of a later version with a clear message', async () => {
    using folder = testFolder();
    const file = folder('events.jsonl');
    writeFileSync(file, '{"type":"start","v":2,"everything":"else is new"}\n');
    await expect(collect(readJournal(file))).rejects.toMatchObject({
      code: 'journal_too_new',
      message: `The journal ${file} has version 2; this version of Waymark reads versions up to 1.`,
      hint: 'Read it with the version of Waymark that wrote it, or a later one.',
    });
  });

  it('keeps unknown fields, at every depth', async () => {
    using folder = testFolder();
    const later = documentedEvents.map((event) => {
      const more = { ...event, later: { much: 'later' } };
      if (more.type === 'evidence') more.tabs = more.tabs.map((tab) => ({ ...tab, pinned: true }));
      if (more.type === 'evidence' && more.facts) {
        const digest = { preview: 'a', length: 400, contains: {}, later: 1 };
        more.facts = { ...more.facts, domText: { h1: digest }, ...{ weather: 'fine' } };
      }
      return more;
    });
    writeFileSync(folder('events.jsonl'), text(...later.map((event) => JSON.stringify(event))));
    expect(await collect(readJournal(folder('events.jsonl')))).toEqual(later);
  });

  it('yields events of unknown types separately, and folds skip them', async () => {
    using folder = testFolder();
    const file = folder('events.jsonl');
    const heartbeat = { seq: 1, time: 5, type: 'heartbeat', beats: 3 };
    // The name of an inherited property is not a known type either.
    const odd = { seq: 2, time: 6, type: 'toString' };
    writeFileSync(file, text(start, JSON.stringify(heartbeat), JSON.stringify(odd)));
    expect((await collect(readJournal(file))).slice(1)).toEqual([
      { type: 'unknown', seq: 1, time: 5, event: heartbeat },
      { type: 'unknown', seq: 2, time: 6, event: odd },
    ]);
    expect(await foldJournal(file, (count) => count + 1, 0)).toBe(1);
  });

  it('reads lines of any length across blocks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 400_000 }), { maxLength: 6 }), async (lengths) => {
        using folder = testFolder();
        const texts = lengths.map((length) => 'ä'.repeat(length / 2));
        const events = texts.map((string, index) => ({
          seq: index + 1,
          time: 1,
          type: 'message',
          message: { type: 'user', content: string },
        }));
        writeFileSync(folder('events.jsonl'), text(start, ...events.map((event) => JSON.stringify(event))));
        expect((await collect(readJournal(folder('events.jsonl')))).slice(1)).toEqual(events);
      }),
      { numRuns: 15 },
    );
  });

  it('stops reading a file without newlines before it fills the memory', async () => {
    const { error } = await read(Buffer.concat([Buffer.from(text(start)), Buffer.alloc(JOURNAL_LIMITS.lineBytes * 2)]));
    expect(error).toEqual({ code: 'journal_corrupt', text: 'the line is too long for an event.' });
  });

  it('reports that the file does not exist or is not a file', async () => {
    using folder = testFolder();
    await expect(collect(readJournal(folder('none.jsonl')))).rejects.toMatchObject({
      code: 'journal_unreadable',
      message: `The journal ${folder('none.jsonl')} could not be read: there is no such file.`,
    });
    await expect(collect(readJournal(folder('.')))).rejects.toMatchObject({ code: 'journal_unreadable' });
  });
});
