import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const sheet = read('docs/testing/browser-harness-signoff.md');

test('the sign-off sheet names files and tests that exist', () => {
  const files = [...sheet.matchAll(/`((?:test|page|fixtures|src)\/[\w/.-]+\.ts)`/g)].map(([, file]) => String(file));
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  const short = [...sheet.matchAll(/`([\w-]+\.test\.ts)`/g)].map(([, file]) => String(file));
  const known = globSync('test/{page,web,browser-harness,browser-harness-api}/*.test.ts', { cwd: root });
  expect(short.filter((file) => !known.some((one) => path.basename(one) === file))).toEqual([]);
  const tests = read('test/web/harness-page.test.ts');
  const quoted = [...sheet.matchAll(/“([^”]+) …”/g)].map(([, words]) => String(words));
  expect(quoted.length).toBeGreaterThan(5);
  expect(quoted.filter((words) => !tests.includes(words.replace(/^… /, '')))).toEqual([]);
});

test('it asks for every confirmation', () => {
  const wanted = [
    'No clipping',
    'No horizontal overflow',
    'No wrong provider attribution',
    'No silently unscored run that needs a judge',
    'No broken link into the run',
    'No console errors',
    'No page errors',
  ];
  expect(wanted.filter((words) => !sheet.includes(`| ${words}`))).toEqual([]);
});
