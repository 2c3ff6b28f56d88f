import { mkdtempDisposableSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { LineFile } from './line-file.ts';

/** A network disk takes every write and says only at the flush that it is full. */
const disk = vi.hoisted(() => ({ isFull: false, flushes: 0 }));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return {
    ...fs,
    fdatasync: (fd: number, done: (error: Error | null) => void) => {
      disk.flushes++;
      if (disk.isFull) done(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }));
      else fs.fdatasync(fd, done);
    },
  };
});

test('closing flushes once, and says what a disk says only then', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'waymark-lines-'));
  const write = async (name: string): Promise<string> => {
    const file = path.join(folder.path, name);
    const lines = new LineFile(file, openSync(file, 'ax'), 0);
    lines.append(Buffer.from('{"seq":0}\n'));
    await lines.close();
    return readFileSync(file, 'utf8');
  };
  expect(await write('good')).toBe('{"seq":0}\n');
  expect(disk.flushes).toBe(1);
  disk.isFull = true;
  await expect(write('full')).rejects.toMatchObject({
    message: expect.stringContaining('Its last events may be missing.'),
  });
});
