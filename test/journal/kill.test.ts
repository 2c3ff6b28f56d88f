import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { foldJournal, Journal, type TornLine } from '../../src/journal/index.ts';
import { testFolder } from './documented-events.ts';

const writer = path.join(import.meta.dirname, 'writer.ts');
/** Also run by hand with 100: nothing was lost, one line was incomplete. The unit tests cut a line at every byte. */
const ROUNDS = 12;

/** Kills the writer once it has acknowledged this many events; returns the last acknowledged number. */
function killAfter(file: string, events: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [writer, file], { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (out.split('\n').length > events) child.kill('SIGKILL');
    });
    child.once('error', reject);
    child.once('close', (_code, signal) => {
      if (signal === 'SIGKILL') resolve(Number(out.trimEnd().split('\n').at(-1)));
      else reject(new Error('the writer ended by itself'));
    });
  });
}

test('kill -9 loses no acknowledged event, and leaves at most one more', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    using folder = testFolder();
    const file = folder('events.jsonl');
    const acknowledged = await killAfter(file, 1 + ((round * 7) % 40));
    const tears: TornLine[] = [];
    const count = await foldJournal(file, (events) => events + 1, 0, { onTorn: (line) => tears.push(line) });
    expect(count).toBeGreaterThanOrEqual(acknowledged + 1);
    expect(count + tears.length).toBeLessThanOrEqual(acknowledged + 2);

    await using journal = await Journal.resume(file);
    expect(journal.append({ type: 'stop', status: 'tool_error', reason: 'The harness was killed.' }).seq).toBe(count);
    expect(await foldJournal(file, (events) => events + 1, 0)).toBe(count + 1);
    expect(readFileSync(file).at(-1)).toBe(0x0a);
  }
});
