import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { FolderArtifacts } from './folder-artifacts.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'waymark-artifacts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const artifacts = new FolderArtifacts(path.join(folder, 'artifacts'));
const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');
const list = async (prefix?: string) => {
  const keys: string[] = [];
  for await (const { key } of artifacts.list(prefix)) keys.push(key);
  return keys;
};

test('what is put can be had, replaced, listed and deleted', async () => {
  expect(await artifacts.put('runs/1/page.html', '<p>é')).toEqual({
    key: 'runs/1/page.html',
    bytes: 5,
    sha256: sha256('<p>é'),
  });
  expect(await text(await artifacts.get('runs/1/page.html'))).toBe('<p>é');
  expect(await artifacts.head('runs/1/page.html')).toMatchObject({ key: 'runs/1/page.html', bytes: 5 });
  await artifacts.put('runs/1/page.html', 'new');
  await artifacts.put('runs/10/a', 'x');
  await artifacts.put('top', 'x');
  expect(await text(await artifacts.get('runs/1/page.html'))).toBe('new');
  expect(await list()).toEqual(['runs/1/page.html', 'runs/10/a', 'top']);
  expect(await list('runs')).toEqual(['runs/1/page.html', 'runs/10/a']);
  // A prefix is whole parts: run 1 is not run 10.
  expect(await list('runs/1')).toEqual(['runs/1/page.html']);
  expect(await list('nothing')).toEqual([]);
  expect(await artifacts.delete('runs/1/page.html')).toBe(true);
  expect(await artifacts.delete('runs/1/page.html')).toBe(false);
  expect(await artifacts.head('runs/1/page.html')).toBeUndefined();
  await expect(artifacts.get('runs/1/page.html')).rejects.toMatchObject({ code: 'artifact_not_found' });
  await expect(artifacts.get('runs')).rejects.toMatchObject({ code: 'artifact_not_found' });
});

test('a stream is kept as it comes', async () => {
  const chunk = new Uint8Array(100_000).fill(7);
  async function* chunks() {
    for (let n = 0; n < 5; n += 1) yield chunk;
  }
  const { bytes } = await artifacts.put('large.bin', chunks());
  expect(bytes).toBe(500_000);
  expect((await buffer(await artifacts.get('large.bin'))).equals(Buffer.alloc(500_000, 7))).toBe(true);
});

test('the same content is kept once, under its hash', async () => {
  const first = await artifacts.putContent('picture', 'png');
  expect(first.key).toBe(`sha256/${sha256('picture').slice(0, 2)}/${sha256('picture')}.png`);
  const before = await artifacts.head(first.key);
  expect(await artifacts.putContent(Buffer.from('picture'), 'png')).toEqual(first);
  expect(await artifacts.head(first.key)).toEqual(before);
});

test('a write that fails leaves the old bytes, and no rest', async () => {
  await artifacts.put('kept', 'old');
  async function* broken() {
    yield Buffer.from('ne');
    throw new Error('the source broke');
  }
  await expect(artifacts.put('kept', broken())).rejects.toThrow('the source broke');
  expect(await text(await artifacts.get('kept'))).toBe('old');
  expect(readdirSync(path.join(folder, 'artifacts', '.tmp'))).toEqual([]);
});

test.each([
  '../secret',
  'a/../../secret',
  '/etc/passwd',
  'a//b',
  'a/',
  '',
  '.',
  '..',
  '.tmp/x',
  'a/.hidden',
  'a\\..\\b',
  'C:x',
  'a\u0000b',
  'a b',
  'é',
  'a\n',
  '%2e%2e/x',
  `${'a/'.repeat(400)}a`,
  'a'.repeat(201),
])('%j is no name for anything', async (key) => {
  const refused = { code: 'artifact_key_invalid' };
  await expect(artifacts.put(key, 'x')).rejects.toMatchObject(refused);
  await expect(artifacts.get(key)).rejects.toMatchObject(refused);
  await expect(artifacts.head(key)).rejects.toMatchObject(refused);
  await expect(artifacts.delete(key)).rejects.toMatchObject(refused);
  if (key !== '') await expect(list(key)).rejects.toMatchObject(refused);
});

test('a link that somebody laid there is not followed', async () => {
  const secret = path.join(folder, 'secret');
  writeFileSync(secret, 'secret');
  mkdirSync(path.join(folder, 'artifacts', 'links'), { recursive: true });
  symlinkSync(secret, path.join(folder, 'artifacts', 'links', 'a'));
  await expect(artifacts.get('links/a')).rejects.toMatchObject({ code: 'artifact_not_found' });
  expect(await artifacts.head('links/a')).toBeUndefined();
  expect(await list('links')).toEqual([]);
});
