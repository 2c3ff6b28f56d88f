import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { collect, startOf, testFolder } from '../../test/journal/documented-events.ts';
import { JOURNAL_LIMITS, type NewEvent } from '../events/index.ts';
import { HashChain, unchained } from './hash-chain.ts';
import { Journal } from './journal.ts';
import { readChain } from './read-chain.ts';
import { readJournal } from './read-journal.ts';
import { readLastEvent, readLastHash } from './read-last-event.ts';

const note = (content: string): NewEvent<'message'> => ({ type: 'message', message: { type: 'user', content } });
const stop: NewEvent<'stop'> = { type: 'stop', status: 'passed', reason: 'The contract passed.' };
const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A journal of five lines; `ü` and `\u2028` take more bytes than characters. */
async function journalIn(file: string): Promise<string[]> {
  await using journal = Journal.create(file);
  journal.append(startOf());
  for (const text of ['a', 'ü\u2028', 'c']) journal.append(note(text));
  journal.append(stop);
  return readFileSync(file, 'utf8').trimEnd().split('\n');
}

it('chains each line to the one before, as anyone can compute it', async () => {
  using folder = testFolder();
  const lines = await journalIn(folder('events.jsonl'));
  let before = '';
  for (const line of lines) {
    const [, body, hash] = /^(.*),"chain":"([0-9a-f]{64})"\}$/s.exec(line) ?? [];
    expect(hash).toBe(sha(`${before}\n${body}}`));
    before = hash ?? '';
  }
  expect(readLastHash(folder('events.jsonl'))).toBe(before);
  expect(await readChain(folder('events.jsonl'))).toEqual({ lines: 5, chained: 5, head: before, breaks: [] });
});

it('is not part of the events that readers get', async () => {
  using folder = testFolder();
  const lines = await journalIn(folder('events.jsonl'));
  const events = await collect(readJournal(folder('events.jsonl')));
  expect(events).toEqual(lines.map((line) => JSON.parse(unchained(line))));
  expect(events.some((event) => 'chain' in event)).toBe(false);
  expect(readLastEvent(folder('events.jsonl'))).toEqual(events.at(-1));
});

it.each<[string, (lines: string[]) => string[], number]>([
  ['changed', (lines) => lines.with(2, (lines[2] ?? '').replace('ü', 'u')), 3],
  ['removed', (lines) => lines.toSpliced(2, 1), 3],
  ['moved', (lines) => lines.with(1, lines[2] ?? '').with(2, lines[1] ?? ''), 2],
  ['added', (lines) => lines.toSpliced(3, 0, lines[2] ?? ''), 4],
  ['without its hash', (lines) => lines.with(2, unchained(lines[2] ?? '')), 3],
  ['changed, with a hash of its own', (lines) => lines.with(2, new HashChain().add(unchained(lines[2] ?? ''))), 3],
])('a line that was %s is named', async (_, change, at) => {
  using folder = testFolder();
  const file = folder('events.jsonl');
  writeFileSync(file, `${change(await journalIn(file)).join('\n')}\n`);
  expect((await readChain(file)).breaks[0]?.line).toBe(at);
});

it('goes on after a kill, without the torn line', async () => {
  using folder = testFolder();
  const file = folder('events.jsonl');
  {
    await using journal = Journal.create(file);
    journal.append(startOf());
    journal.append(note('a'));
  }
  appendFileSync(file, '{"seq":2,"time":');
  expect(await readChain(file)).toMatchObject({ lines: 2, chained: 2, breaks: [] });
  {
    await using resumed = await Journal.resume(file);
    resumed.append(note('b'));
    resumed.append(stop);
  }
  expect(await readChain(file)).toMatchObject({ lines: 4, chained: 4, breaks: [] });
});

it('a journal of an earlier version has no chain; one that is continued is chained from there on, what was there included', async () => {
  using folder = testFolder();
  const file = folder('events.jsonl');
  const old = (await journalIn(file)).slice(0, 3).map(unchained);
  writeFileSync(file, `${old.join('\n')}\n`);
  expect(await readChain(file)).toEqual({ lines: 3, chained: 0, head: '', breaks: [] });
  {
    await using resumed = await Journal.resume(file);
    resumed.append(stop);
  }
  expect(await readChain(file)).toMatchObject({ lines: 4, chained: 1, breaks: [] });
  writeFileSync(file, readFileSync(file, 'utf8').replace('"a"', '"b"'));
  expect((await readChain(file)).breaks).toMatchObject([{ line: 4 }]);
});

it('leaves room for the hash in the longest line', async () => {
  using folder = testFolder();
  await using journal = Journal.create(folder('events.jsonl'));
  journal.append(startOf());
  journal.append(note('x'.repeat(2 * JOURNAL_LIMITS.lineBytes)));
  const lengths = readFileSync(folder('events.jsonl'), 'utf8').split('\n');
  expect(Math.max(...lengths.map((line) => Buffer.byteLength(line)))).toBeLessThan(JOURNAL_LIMITS.lineBytes);
  const chained = new HashChain().add('{"a":1}');
  expect(chained.length - '{"a":1}'.length).toBe(JOURNAL_LIMITS.chainBytes);
});
