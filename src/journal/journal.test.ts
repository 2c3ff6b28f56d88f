import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  appendSample,
  asNew,
  collect,
  documentedEvents,
  startOf,
  testFolder,
  thrownBy,
} from '../../test/journal/documented-events.ts';
import { WaymarkError } from '../errors/index.ts';
import { JOURNAL_LIMITS, JOURNAL_VERSION, type NewEvent } from '../events/index.ts';
import { Journal } from './journal.ts';
import { readJournal } from './read-journal.ts';

const note = (text: string): NewEvent<'message'> => ({
  type: 'message',
  message: { type: 'user', content: text },
});
const stop: NewEvent<'stop'> = { type: 'stop', status: 'passed', reason: 'The contract passed.' };

describe('Journal', () => {
  it('numbers and times events, and has them in the file before append returns', async () => {
    using folder = testFolder();
    let clock = 1000;
    await using journal = Journal.create(folder('events.jsonl'), { now: () => clock++ });
    expect(journal.append(startOf())).toEqual({ ...startOf(), seq: 0, time: 1000, v: JOURNAL_VERSION });
    expect(journal.append(note('one'))).toEqual({ ...note('one'), seq: 1, time: 1001 });
    const lines = readFileSync(folder('events.jsonl'), 'utf8').split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(
      /^\{"seq":1,"time":1001,"type":"message","message":\{"type":"user","content":"one"\},"chain":"[0-9a-f]{64}"\}$/,
    );
    expect(journal.length).toBe(2);
  });

  it('reads back what was appended, for every type of event', async () => {
    using folder = testFolder();
    const times = documentedEvents.map(({ time }) => time);
    await using journal = Journal.create(folder('events.jsonl'), { now: () => times.shift() ?? 0 });
    const appended = documentedEvents.map((event) => journal.append(asNew(event)));
    expect(appended).toEqual(documentedEvents);
    expect(await collect(readJournal(folder('events.jsonl')))).toEqual(documentedEvents);
    expect(journal.ended).toBe(true);
  });

  it('keeps strings as they are, whatever is in them', async () => {
    using folder = testFolder();
    const hostile = [
      'a\nb\r\nc',
      '\u2028\u2029\u0085',
      '\ud800 lone \udc00',
      '\u0000\u0001\u007f',
      '"\\',
      '😀',
      '\ufeff',
    ];
    await using journal = Journal.create(folder('events.jsonl'));
    journal.append(startOf());
    for (const text of hostile) journal.append(note(text));
    const args = JSON.parse('{"__proto__":{"polluted":true},"constructor":"x"}');
    const call = { type: 'tool_call', callId: 'c', step: 1, tool: 't', by: 'agent', observes: true } as const;
    journal.append({ ...call, arguments: args });
    const events = await collect(readJournal(folder('events.jsonl')));
    expect(
      events.flatMap((event) =>
        event.type === 'message' && event.message.type === 'user' ? [event.message.content] : [],
      ),
    ).toEqual(hostile);
    expect(JSON.stringify(events.at(-1))).toContain('"arguments":{"__proto__":{"polluted":true},"constructor":"x"}');
  });

  it('keeps a message whole that is longer than other events may be, and cuts one that no reader would take', async () => {
    using folder = testFolder();
    await using journal = Journal.create(folder('events.jsonl'));
    journal.append(startOf());
    const long = 'x'.repeat(2 * JOURNAL_LIMITS.eventBytes);
    expect(journal.append(note(long))).not.toHaveProperty('cut');
    expect(journal.append(note('x'.repeat(JOURNAL_LIMITS.lineBytes)))).toMatchObject({ cut: { fields: ['message'] } });
    expect((await collect(readJournal(folder('events.jsonl')))).at(1)).toMatchObject({ message: { content: long } });
  });

  it('does not go back in time when the clock is set back', async () => {
    using folder = testFolder();
    const times = [1000, 400, 1200];
    await using journal = Journal.create(folder('events.jsonl'), { now: () => times.shift() ?? 0 });
    journal.append(startOf());
    expect([journal.append(note('a')).time, journal.append(note('b')).time]).toEqual([1000, 1200]);
  });

  it('never overwrites a file', async () => {
    using folder = testFolder();
    await using first = Journal.create(folder('events.jsonl'));
    first.append(startOf());
    const before = readFileSync(folder('events.jsonl'), 'utf8');
    expect(thrownBy(() => Journal.create(folder('events.jsonl')))).toMatchObject({
      code: 'journal_exists',
      message: `The journal ${folder('events.jsonl')} already exists.`,
    });
    expect(readFileSync(folder('events.jsonl'), 'utf8')).toBe(before);
  });

  it('explains why it could not be created', () => {
    using folder = testFolder();
    expect(thrownBy(() => Journal.create(folder('no/such/events.jsonl')))).toMatchObject({
      code: 'journal_write_failed',
      message: `The journal ${folder('no/such/events.jsonl')} could not be written: its folder does not exist (ENOENT).`,
      hint: 'Create the folder first.',
    });
  });

  it('accepts nothing after the stop, or once it is closed', async () => {
    using folder = testFolder();
    const journal = Journal.create(folder('events.jsonl'));
    journal.append(startOf());
    journal.append(stop);
    expect(thrownBy(() => journal.append(note('late')))).toMatchObject({ code: 'journal_ended' });
    await journal.close();
    await journal.close();
    expect(thrownBy(() => journal.append(note('later')))).toMatchObject({ code: 'journal_closed' });
    expect(await collect(readJournal(folder('events.jsonl')))).toHaveLength(2);
  });

  it('begins with its start, and has only one', async () => {
    using folder = testFolder();
    await using journal = Journal.create(folder('events.jsonl'));
    expect(thrownBy(() => journal.append(note('early')))).toMatchObject({
      code: 'journal_event_invalid',
      message: `A message event was not written to ${folder('events.jsonl')}: the first event must be start.`,
    });
    journal.append(startOf());
    expect(thrownBy(() => journal.append(startOf()))).toMatchObject({ code: 'journal_event_invalid' });
    expect(journal.length).toBe(1);
  });

  it('refuses an invalid event, writes nothing of it, and continues', async () => {
    using folder = testFolder();
    await using journal = Journal.create(folder('events.jsonl'));
    journal.append(startOf());
    const cycle: unknown[] = [];
    cycle.push(cycle);
    const call = { type: 'tool_call', callId: 'c', step: 1, tool: 't', by: 'agent', observes: true } as const;
    const wrong: unknown[] = [
      { ...note('x'), colour: 'red' },
      { type: 'message', source: 'test' },
      { type: 'reward', score: Number.NaN, classification: 'x', tier: 'x', reasons: [], confidence: 1 },
      { type: 'screenshot', ok: true },
      { ...call, arguments: cycle },
      { ...call, arguments: 1n },
    ];
    for (const event of wrong) {
      expect(thrownBy(() => journal.append(event as NewEvent<'message'>))).toMatchObject({
        code: 'journal_event_invalid',
      });
    }
    expect(journal.append(note('fine')).seq).toBe(1);
    expect(await collect(readJournal(folder('events.jsonl')))).toHaveLength(2);
  });

  it('detects another writer, and does not change its lines', async () => {
    using folder = testFolder();
    await using journal = Journal.create(folder('events.jsonl'));
    journal.append(startOf());
    appendFileSync(folder('events.jsonl'), 'mine\n');
    const error = thrownBy(() => journal.append(note('x')));
    expect(error).toMatchObject({ code: 'journal_write_failed' });
    expect(String(error)).toContain('another process writes to it');
    expect(readFileSync(folder('events.jsonl'), 'utf8')).toMatch(/\nmine\n$/);
  });

  it('detects that its file was removed', async () => {
    using folder = testFolder();
    await using journal = Journal.create(folder('events.jsonl'));
    journal.append(startOf());
    rmSync(folder('events.jsonl'));
    expect(String(thrownBy(() => journal.append(note('x'))))).toContain('it was removed');
    expect(existsSync(folder('events.jsonl'))).toBe(false);
  });
});

describe('Journal.resume', () => {
  it('continues the numbers, and does not go back in time', async () => {
    using folder = testFolder();
    const file = folder('events.jsonl');
    const first = Journal.create(file, { now: () => 5000 });
    appendSample(first);
    await first.close();
    await using again = await Journal.resume(file, { now: () => 10 });
    expect(again.append(stop)).toMatchObject({ seq: first.length, time: 5000 });
    expect((await collect(readJournal(file))).map(({ seq }) => seq)).toEqual([...Array(first.length + 1).keys()]);
  });

  it('cuts off a line that is incomplete after any of its bytes', async () => {
    using folder = testFolder();
    const file = folder('events.jsonl');
    const first = Journal.create(file);
    first.append(startOf());
    const whole = readFileSync(file);
    first.append(note('straße, 😀 and 日本'));
    await first.close();
    const both = readFileSync(file);
    for (let length = whole.length; length <= both.length; length++) {
      writeFileSync(file, both.subarray(0, length));
      const journal = await Journal.resume(file);
      const survived = length === both.length;
      expect(journal.append(note('next')).seq).toBe(survived ? 2 : 1);
      await journal.close();
      expect(readFileSync(file).subarray(0, whole.length).equals(whole)).toBe(true);
      expect(await collect(readJournal(file))).toHaveLength(survived ? 3 : 2);
    }
  });

  it('of a journal without a complete line needs a start event', async () => {
    using folder = testFolder();
    writeFileSync(folder('events.jsonl'), '{"seq":0,"ti');
    await using journal = await Journal.resume(folder('events.jsonl'));
    expect(journal.append(startOf()).seq).toBe(0);
  });

  it('of an ended journal accepts nothing more', async () => {
    using folder = testFolder();
    const first = Journal.create(folder('events.jsonl'));
    first.append(startOf());
    first.append(stop);
    await first.close();
    await using journal = await Journal.resume(folder('events.jsonl'));
    expect(journal.ended).toBe(true);
    expect(thrownBy(() => journal.append(note('x')))).toBeInstanceOf(WaymarkError);
  });

  it('of a missing or damaged one fails, and changes nothing', async () => {
    using folder = testFolder();
    await expect(Journal.resume(folder('none.jsonl'))).rejects.toMatchObject({ code: 'journal_unreadable' });
    expect(existsSync(folder('none.jsonl'))).toBe(false);
    writeFileSync(folder('events.jsonl'), 'no journal\n{"torn');
    await expect(Journal.resume(folder('events.jsonl'))).rejects.toMatchObject({ code: 'journal_corrupt' });
    expect(readFileSync(folder('events.jsonl'), 'utf8')).toBe('no journal\n{"torn');
  });
});
