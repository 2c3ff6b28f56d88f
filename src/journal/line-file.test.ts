import { mkdtempDisposableSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LineFile } from './line-file.ts';

test('closing flushes once; a disk that is full says so only then, and so does the error', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'waymark-lines-'));
  let flushes = 0;
  const write = async (name: string, problem?: Error): Promise<string> => {
    const file = path.join(folder.path, name);
    const lines = new LineFile(file, openSync(file, 'ax'), 0, async () => {
      flushes++;
      if (problem) throw problem;
    });
    lines.append(Buffer.from('{"seq":0}\n'));
    await lines.close();
    return readFileSync(file, 'utf8');
  };
  expect(await write('good')).toBe('{"seq":0}\n');
  expect(flushes).toBe(1);
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  await expect(write('full', full)).rejects.toMatchObject({
    message: expect.stringContaining('Its last events may be missing.'),
  });
});
