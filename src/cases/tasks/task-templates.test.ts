import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseSeeds, templatesIn, writeInstances } from './task-templates.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-templates-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (body: string): void => writeFileSync(path.join(folder, 'templates.mjs'), `export default ${body};\n`);
const one = `(seed) => [{ task: { id: 'a-s' + seed }, oracle: { seed }, solutions: [{ seed }], nearMisses: { 'too-late': { seed } } }]`;

test('seeds are a range, a number or a list', () => {
  expect(parseSeeds('0..3')).toEqual([0, 1, 2, 3]);
  expect(parseSeeds('7')).toEqual([7]);
  expect(parseSeeds('1, 4..5,4')).toEqual([1, 4, 5]);
});

test.each(['', '-1', '3..1', 'a', '1..', '0..100000'])('%j is refused', (text) => {
  expect(() => parseSeeds(text)).toThrow(
    `--seeds takes numbers such as 0..9, 3 or 1,4,7, and at most 1,000, but got "${text}".`,
  );
});

test('writes a folder of tasks with their transcripts and their fixture, and removes what is no longer among them', async () => {
  put(one);
  writeFileSync(path.join(folder, 'fixture.mjs'), 'export default () => ({});');
  const out = path.join(folder, 'out');
  await writeInstances(folder, [0, 1], out);
  await writeInstances(folder, [1, 2], out);
  const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.map((entry) => path.relative(out, path.join(entry.parentPath, entry.name))).sort()).toEqual(
    [
      ...['a-s1.task.json', 'a-s2.task.json', 'fixture.mjs'],
      ...['near-misses/a-s1.too-late.json', 'near-misses/a-s2.too-late.json'],
      ...['oracles/a-s1.json', 'oracles/a-s2.json', 'solutions/a-s1.1.json', 'solutions/a-s2.1.json'],
    ].map((name) => path.normalize(name)),
  );
  expect(JSON.parse(readFileSync(path.join(out, 'oracles/a-s2.json'), 'utf8'))).toEqual({ seed: 2 });
});

test('a folder without templates has none', () => {
  expect(templatesIn(folder)).toBeUndefined();
  expect(templatesIn(path.join(folder, 'nowhere'))).toBeUndefined();
});

test.each([
  ['5', 'its default export is no function'],
  ["() => { throw new Error('no data') }", 'no data'],
  ['() => [{ task: {} }]', 'what it gives is not usable'],
])('templates that are %s are refused, and nothing is written', async (body, why) => {
  put(body);
  const out = path.join(folder, 'out');
  await expect(writeInstances(folder, [0], out)).rejects.toThrow(why);
  expect(existsSync(out)).toBe(false);
});
