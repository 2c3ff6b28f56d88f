import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startSuiteFixture } from './suite-fixture.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-fixtures-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A fixture that writes down when it starts and stops. */
function put(name: string, body: string): string {
  const at = path.join(folder, name);
  mkdirSync(at);
  writeFileSync(path.join(at, 'a.task.json'), '{}');
  writeFileSync(
    path.join(at, 'fixture.mjs'),
    `import { appendFileSync } from 'node:fs';
const say = (what) => appendFileSync(${JSON.stringify(path.join(folder, 'log'))}, what + ' ');
export default () => { say('+${name}'); ${body} };`,
  );
  return at;
}

const started = (name: string): string =>
  `return { resolverRules: 'MAP ${name}.test 127.0.0.1:1', allowHosts: ['${name}.test'], [Symbol.asyncDispose]: async () => say('-${name}') }`;
const log = (): string => readFileSync(path.join(folder, 'log'), 'utf8').trim();

test('the fixtures of all places are started, each once, and stopped again', async () => {
  const [one, two] = [put('one', started('one')), put('two', started('two'))];
  {
    await using fixture = await startSuiteFixture([one, path.join(one, 'a.task.json'), folder, two]);
    expect(fixture.resolverRules).toBe('MAP one.test 127.0.0.1:1, MAP two.test 127.0.0.1:1');
    expect(fixture.allowHosts).toEqual(['one.test', 'two.test']);
    expect(log()).toBe('+one +two');
  }
  expect(log()).toBe('+one +two -two -one');
});

test('where one does not start, the others are stopped', async () => {
  const places = [put('one', started('one')), put('two', "throw new Error('no port')")];
  await expect(startSuiteFixture(places)).rejects.toThrow('did not start: no port.');
  expect(log()).toBe('+one +two -one');
});

test('headers for reading the state belong to the hosts of their own fixture', async () => {
  const keyed = "return { allowHosts: ['one.test', 'also.test'], stateHeaders: { 'x-key': 'k' } }";
  const places = [put('one', keyed), put('two', started('two'))];
  await using fixture = await startSuiteFixture(places);
  expect([...fixture.stateHeaders]).toEqual([
    ['one.test', { 'x-key': 'k' }],
    ['also.test', { 'x-key': 'k' }],
  ]);
});
