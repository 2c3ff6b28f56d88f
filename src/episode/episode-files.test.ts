import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { testFolder } from '../../test/journal/documented-events.ts';
import { answered, called, delegated, madeJournal, pictured, stopped } from '../../test/support/made-journal.ts';
import { type JournalEvent, messageLines, messagesOf } from '../events/index.ts';
import { EpisodeFiles } from './episode-files.ts';

const events = madeJournal([
  delegated('left'),
  called('c1', 1, 'left'),
  answered('c1', 'left'),
  pictured('c1', 1, 'left'),
  stopped(),
]);

async function written(folder: string, given: readonly JournalEvent[]): Promise<string[][]> {
  const warnings: string[][] = [];
  await using files = new EpisodeFiles(folder, (...warning) => warnings.push(warning));
  for (const event of given) files.add(event);
  return warnings;
}

test('messages.jsonl is what the journal gives, with and without a stop', async () => {
  for (const given of [events, events.slice(0, -1), events.slice(0, 1)]) {
    using folder = testFolder();
    expect(await written(folder('.'), given)).toEqual([]);
    expect(readFileSync(folder('messages.jsonl'), 'utf8')).toBe(messageLines(messagesOf(given)));
  }
});

test('messages that can’t be written are a warning and cost the attempt nothing', async () => {
  using folder = testFolder();
  writeFileSync(folder('messages.jsonl'), 'of another attempt\n');
  const warnings = await written(folder('.'), events);
  expect(warnings.map(([source]) => source)).toEqual(['message_logging']);
  expect(warnings[0]?.[1]).toContain('The message trace ');
  expect(readFileSync(folder('messages.jsonl'), 'utf8')).toBe('of another attempt\n');
  expect(JSON.parse(readFileSync(folder('metadata.json'), 'utf8'))).toMatchObject({ total_steps: 1 });
});
