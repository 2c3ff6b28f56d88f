import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { JournalText, LONGEST_IN_ROW } from './journal-text.ts';

const bytesOf = (content: string | Iterable<Uint8Array>) =>
  typeof content === 'string' ? Buffer.from(content) : Buffer.concat([...content]);

test('a text that fits into a row is given as text, and one byte more in pieces', () => {
  using text = new JournalText();
  const line = 'é'.repeat((LONGEST_IN_ROW - 2) / 2);
  text.add(line);
  expect(text.content).toBe(`${line}\n`);
  text.add('');
  expect(text.content).toBe(`${line}\n\n`);
  text.add('');
  expect(typeof text.content).toBe('object');
  expect(bytesOf(text.content).equals(Buffer.from(`${line}\n\n\n`))).toBe(true);
});

test('lines are given from where the last group ended, in memory and on the disk, and none twice', () => {
  using text = new JournalText();
  const added: string[] = [];
  const seen: string[] = [];
  let at = 0;
  for (const length of [1, 20, 70_000, 3, 600_000, 0, 300_000]) {
    for (let copy = 0; copy < 2; copy++) {
      added.push(`${'😀é'.repeat(length)}${copy}`);
      text.add(added.at(-1) ?? '');
    }
    for (const { lines, next } of text.linesFrom(at)) {
      seen.push(...lines);
      at = next;
    }
    expect(seen).toEqual(added);
  }
  expect(bytesOf(text.content).equals(Buffer.from(added.map((line) => `${line}\n`).join('')))).toBe(true);
});

test('its file has no name: whatever ends the process, none is left', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-journal-text-'));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  vi.stubEnv('TMPDIR', folder);
  using text = new JournalText();
  text.add('x'.repeat(LONGEST_IN_ROW));
  expect(typeof text.content).toBe('object');
  expect(readdirSync(folder)).toEqual([]);
});
