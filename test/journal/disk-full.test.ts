import { execFileSync } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { NewEvent } from '../../src/events/index.ts';
import { foldJournal, Journal, LedgerFile } from '../../src/journal/index.ts';
import { LineFile } from '../../src/journal/line-file.ts';
import { runProcess } from '../repository/run-process.ts';
import { startOf, type TestFolder, testFolder, thrownBy } from './documented-events.ts';

const note = (text: string): NewEvent<'message'> => ({
  type: 'message',
  message: { type: 'user', content: text },
});

/** A real disk of 64 KiB; undefined if this user may not mount one. */
function tinyDisk(folder: TestFolder, options = 'size=64k'): (Disposable & { path: string }) | undefined {
  const at = folder('disk');
  mkdirSync(at);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', at], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  return { path: at, [Symbol.dispose]: () => execFileSync('umount', ['-l', at], { stdio: 'ignore' }) };
}

test('a full disk gives a clear error, and what was written stays complete', async (context) => {
  using folder = testFolder();
  using disk = tinyDisk(folder);
  if (disk === undefined) return context.skip('mounting a disk is not permitted here');
  const file = path.join(disk.path, 'events.jsonl');
  // Another file fills the disk except for five pages, as in practice.
  writeFileSync(path.join(disk.path, 'other'), Buffer.alloc(11 * 4096));
  const journal = Journal.create(file);
  journal.append(startOf());
  const first = thrownBy(() => {
    for (;;) journal.append(note('x'.repeat(700)));
  });
  expect(first).toMatchObject({
    code: 'journal_write_failed',
    message: `The journal ${file} could not be written: the disk is full (ENOSPC). What was written before is complete.`,
    hint: 'Free some space, or write to another disk, and run the same command again.',
  });
  expect(readFileSync(file).at(-1)).toBe(0x0a);
  const torn: unknown[] = [];
  const count = await foldJournal(file, (events) => events + 1, 0, { onTorn: (line) => torn.push(line) });
  expect({ count, torn }).toEqual({ count: journal.length, torn: [] });
  expect(count).toBeGreaterThan(10);

  // There is space again, but this journal has failed: an event may be missing from it.
  rmSync(path.join(disk.path, 'other'));
  expect(thrownBy(() => journal.append(note('y')))).toBe(first);
  await journal.close();

  await using again = await Journal.resume(file);
  expect(again.append(note('z')).seq).toBe(count);
});

test('a limit on file sizes gives the same, without the right to mount', async () => {
  using folder = testFolder();
  const file = folder('events.jsonl');
  const writer = path.join(import.meta.dirname, 'writer.ts');
  // Blocks of 512 or 1024 bytes, depending on the shell; the writer's long event exceeds both.
  const script = 'trap "" XFSZ; ulimit -f 40; exec "$0" "$@"';
  const { code, err } = await runProcess('sh', ['-c', script, process.execPath, writer, file], {
    cwd: import.meta.dirname,
  });
  expect(code).toBe(0);
  expect(JSON.parse(err)).toEqual({
    code: 'journal_write_failed',
    message: `The journal ${file} could not be written: the file has the largest size that this system allows (EFBIG). What was written before is complete.`,
    hint: 'Raise the limit on file sizes (ulimit -f), and run the same command again.',
  });
  expect(await foldJournal(file, (events) => events + 1, 0)).toBe(4);
  expect(readFileSync(file).at(-1)).toBe(0x0a);
});

test('a read-only disk or folder gives a clear error', (context) => {
  using folder = testFolder();
  const isRoot = process.getuid?.() === 0;
  // Root can write to every folder, whatever its mode, but not to a read-only disk.
  using disk = isRoot ? tinyDisk(folder, 'size=64k,ro') : undefined;
  if (isRoot && disk === undefined) return context.skip('mounting a disk is not permitted here');
  const locked = disk?.path ?? folder('locked');
  if (disk === undefined) mkdirSync(locked, { mode: 0o500 });
  const file = path.join(locked, 'events.jsonl');
  expect(thrownBy(() => Journal.create(file))).toMatchObject({
    code: 'journal_write_failed',
    message: `The journal ${file} could not be written: ${isRoot ? 'the disk is read-only (EROFS)' : 'permission is denied (EACCES)'}.`,
  });
});

test('on /dev/full the first line fails, and so does every other', async (context) => {
  if (!statSync('/dev/full', { throwIfNoEntry: false })) return context.skip('this system has no /dev/full');
  const lines = new LineFile('/dev/full', openSync('/dev/full', 'a'), 0);
  const first = thrownBy(() => lines.append(Buffer.from('{}\n')));
  expect(first).toMatchObject({
    code: 'journal_write_failed',
    message:
      'The journal /dev/full could not be written: the disk is full (ENOSPC). What was written before is complete, but an incomplete last line may follow it.',
  });
  expect(thrownBy(() => lines.append(Buffer.from('{}\n')))).toBe(first);
  await lines.close();
});

test('a ledger on a full disk warns once and keeps complete lines', async (context) => {
  using folder = testFolder();
  using disk = tinyDisk(folder);
  if (disk === undefined) return context.skip('mounting a disk is not permitted here');
  const file = path.join(disk.path, 'ledger.jsonl');
  const warnings: string[] = [];
  const ledger = new LedgerFile(file, { onWarning: (message) => warnings.push(message) });
  for (let round = 0; round < 40; round++) {
    for (let attempt = 0; attempt < 30; attempt++) {
      ledger.add({ tool: 'interact', arguments: { ref: `e${attempt}` }, status: 'success' });
    }
    await ledger.flush();
  }
  await ledger.close();
  expect(warnings).toEqual([`The ledger ${file} could not be written: the disk is full (ENOSPC).`]);
  const text = readFileSync(file, 'utf8');
  expect(text.length).toBeGreaterThan(10_000);
  expect(text.endsWith('}\n')).toBe(true);
});
