import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { testFolder } from '../../test/journal/documented-events.ts';
import { readMessages } from './read-messages.ts';

const user = { type: 'user', content: 'a\u2028b', timestamp: '2026-01-01T00:00:00.000Z' };
const line = `${JSON.stringify(user)}\n`;

describe('readMessages', () => {
  it('reads all lines, and skips one that a kill has torn', async () => {
    using folder = testFolder();
    const file = folder('messages.jsonl');
    for (const torn of ['', '{"type":"user","con', line.slice(0, -1)]) {
      writeFileSync(file, `${line}${line}${torn}`);
      expect(await readMessages(file)).toEqual([user, user]);
    }
  });

  it.each([
    ['{"type":"user","con\n', 'line 2 is not JSON'],
    ['{"type":"thought"}\n', 'line 2 is no message: '],
    [`${JSON.stringify({ ...user, content: 7 })}\n`, 'line 2 is no message: '],
  ])('says which line is damaged: %s', async (bad, why) => {
    using folder = testFolder();
    const file = folder('messages.jsonl');
    writeFileSync(file, `${line}${bad}${line}`);
    await expect(readMessages(file)).rejects.toMatchObject({
      code: 'messages_unreadable',
      message: expect.stringContaining(`The messages in ${file} could not be read: ${why}`),
    });
  });

  it('says that there is no such file', async () => {
    await expect(readMessages('/no/such/messages.jsonl')).rejects.toMatchObject({
      message: 'The messages in /no/such/messages.jsonl could not be read: there is no such file.',
      hint: 'Make the file again from the journal beside it: waymark report <folder of the run>.',
    });
  });
});
