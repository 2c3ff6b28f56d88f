import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { grantPictures } from './pictures.ts';

const root = mkdtempSync(path.join(tmpdir(), 'waymark-pictures-'));
afterAll(() => rmSync(root, { recursive: true }));

/** An episode with pictures of 10 bytes each. */
function episode(name: string, count: number, success: boolean) {
  const folder = path.join(root, name);
  mkdirSync(path.join(folder, 'screenshots'), { recursive: true });
  const files = Array.from({ length: count }, (_, index) => `screenshots/${index + 1}.jpg`);
  for (const file of files) writeFileSync(path.join(folder, file), '0123456789');
  return { folder, success, files };
}
const limits = { pictureBytes: 1000, episodesWithPictures: 10, picturesPerEpisode: 10 };
const counts = (granted: ReturnType<typeof grantPictures>) => granted.map(({ uris, leftOut }) => [uris.size, leftOut]);

test('gives data URIs', () => {
  const [granted] = grantPictures([episode('uri', 1, true)], limits);
  expect(granted?.uris.get('screenshots/1.jpg')).toBe('data:image/jpeg;base64,MDEyMzQ1Njc4OQ==');
});

test('keeps to the bytes, and gives them first to what did not pass', () => {
  const wanted = [episode('p1', 3, true), episode('f1', 3, false), episode('p2', 3, true)];
  expect(counts(grantPictures(wanted, { ...limits, pictureBytes: 40 }))).toEqual([
    [1, 2],
    [3, 0],
    [0, 3],
  ]);
});

test('keeps to the number of episodes and of pictures in each', () => {
  const wanted = [episode('a', 3, true), episode('b', 3, true), episode('c', 0, true), episode('d', 1, false)];
  expect(counts(grantPictures(wanted, { ...limits, episodesWithPictures: 2, picturesPerEpisode: 2 }))).toEqual([
    [2, 1],
    [0, 3],
    [0, 0],
    [1, 0],
  ]);
});

test('reads nothing but pictures of the episode, whatever the journal says', () => {
  writeFileSync(path.join(root, 'secret.jpg'), 'secret');
  const { folder } = episode('own', 1, true);
  const files = [
    'screenshots/../../secret.jpg',
    '../secret.jpg',
    path.join(root, 'secret.jpg'),
    'events.jsonl',
    'screenshots/gone.jpg',
  ];
  expect(counts(grantPictures([{ folder, success: true, files }], limits))).toEqual([[0, 0]]);
});
