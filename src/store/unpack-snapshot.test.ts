import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { unpackSnapshot } from './unpack-snapshot.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-unpack-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function entry(name: string, content: Buffer | null): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0, 'latin1');
  header.write((content?.length ?? 0).toString(8).padStart(11, '0'), 124, 'latin1');
  header.write(content === null ? '5' : '0', 156, 'latin1');
  const padding = Buffer.alloc((512 - ((content?.length ?? 0) % 512)) % 512);
  return Buffer.concat([header, content ?? Buffer.alloc(0), padding]);
}

const contentOf = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, index) => index % 251));

// Longer than the pieces that are read, and around the length of a block.
const LENGTHS = [0, 1, 511, 512, 513, 700_000, 3];
const archive = Buffer.concat([
  entry('/base', null),
  entry('/empty', null),
  ...LENGTHS.map((length) => entry(`/base/${length}`, contentOf(length))),
  Buffer.alloc(1024),
]);

test.each([
  ['brotli', 'snapshot.tar.br', brotliCompressSync],
  ['gzip', 'snapshot.tar.gz', gzipSync],
] as const)('the files of an archive by %s are as they were', async (_, name, compress) => {
  const file = path.join(folder, name);
  writeFileSync(file, compress(archive));
  await unpackSnapshot(file, path.join(folder, 'db'));
  for (const length of LENGTHS) {
    expect(readFileSync(path.join(folder, 'db/base', String(length))).equals(contentOf(length))).toBe(true);
  }
  expect(statSync(path.join(folder, 'db/empty')).isDirectory()).toBe(true);
});

test.each([
  ['in a file', archive.subarray(0, 20_000), 'the snapshot is cut off'],
  ['in a header', archive.subarray(0, 700), 'the snapshot is cut off'],
  ['in a name outside the folder', entry('/../x', contentOf(1)), 'the snapshot has the name /../x'],
])('an archive that ends %s is refused', async (_, bytes, message) => {
  const file = path.join(folder, 'snapshot.tar.gz');
  writeFileSync(file, gzipSync(bytes));
  await expect(unpackSnapshot(file, path.join(folder, 'db'))).rejects.toThrow(message);
});
