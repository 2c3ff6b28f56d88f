/** Files and flags that are wrong on purpose: a clear error, exit code 2, and nothing is run. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommandLine } from './run.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'waymark-hostile-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const task = (id: string, more: object = {}) => ({
  id,
  title: 'a task',
  startUrl: 'http://fixtures.waymark.test/',
  goal: 'Look.',
  success: { kind: 'no_dialog' },
  oracle: 'oracle.json',
  ...more,
});
const write = (name: string, content: string | Buffer): string => {
  writeFileSync(path.join(cwd, name), content);
  return path.join(cwd, name);
};

async function refused(...args: string[]): Promise<string> {
  let said = '';
  const code = await runCommandLine(['run', ...args], {
    out: (text) => {
      said += text;
    },
    err: (text) => {
      said += text;
    },
    paint: (_, text) => text,
    env: {},
    cwd,
  });
  expect({ code, isWritten: existsSync(path.join(cwd, '.waymark')) }, said).toEqual({ code: 2, isWritten: false });
  return said;
}

test.each([
  '../../etc/passwd',
  '/etc/passwd',
  'a/b',
  '..',
  '.hidden',
  'a\\..\\b',
  'a\u0000b',
  'A',
  '',
  'ä',
  'x'.repeat(129),
])('the id %j is refused', async (id) => {
  const said = await refused(write('t.json', JSON.stringify(task(id))));
  expect(said).toMatch(/1 problem in the tasks; nothing was run\.\n.*t\.json: \$\.id: /);
});

test('two tasks of one id, one of them through a link, are refused', async () => {
  mkdirSync(path.join(cwd, 'tasks'));
  write('tasks/a.json', JSON.stringify(task('a')));
  symlinkSync('a.json', path.join(cwd, 'tasks/b.json'));
  expect(await refused(path.join(cwd, 'tasks'))).toContain('"a" is also the id of');
});

test.each([
  ['UTF-16', Buffer.from(`\ufeff${JSON.stringify(task('a'))}`, 'utf16le'), 'it is not UTF-8 text; save it as UTF-8'],
  ['Latin-1', Buffer.from(JSON.stringify(task('a', { goal: 'Größe' })), 'latin1'), 'it is not UTF-8 text'],
  ['a byte order mark', `\ufeff${JSON.stringify(task('a'))}`, 'it begins with a byte order mark'],
  ['UTF-16 without a mark', Buffer.from(JSON.stringify(task('a')), 'utf16le'), 'no JSON'],
  ['nothing', '', 'no JSON'],
  ['half of it', JSON.stringify(task('a')).slice(0, 50), 'no JSON'],
])('%s is refused', async (_, content, sentence) => {
  const said = await refused(write('t.json', content));
  expect(said).toContain('t.json: ');
  expect(said).toContain(sentence);
});

test('a file that is too large is refused without being read, and a device too', async () => {
  const file = write('t.jsonl', '');
  truncateSync(file, 20 * 1024 ** 3);
  expect(await refused(file)).toContain('it has more than 64 MiB; split it');
  expect(await refused('/dev/zero')).toContain('it is no file');
});

test('of 10,000 lines, the bad line 9,999 is named', async () => {
  const lines = Array.from({ length: 10_000 }, (_, at) => JSON.stringify(task(`t${at + 1}`)));
  lines[9_998] = `${lines[9_998]},`;
  expect(await refused(write('t.jsonl', lines.join('\n')))).toMatch(
    /^waymark: 1 problem in the tasks; nothing was run\.\n.*t\.jsonl:9999: no JSON/,
  );
  lines[9_998] = JSON.stringify(task('t9999', { maxSteps: -1 }));
  expect(await refused(write('t.jsonl', lines.join('\n')))).toContain(
    't.jsonl:9999: $.maxSteps: "maxSteps" must be 1 or more, not -1.',
  );
});

test('of 10,000 bad lines, the first hundred are listed', async () => {
  const said = await refused(write('t.jsonl', '{}\n{"id":\n'.repeat(5_000)));
  expect(said.split('\n').length).toBeLessThan(120);
  expect(said).toMatch(/And \d+ more\.\n/);
});

test.each([
  ['10 MB of text', { kind: 'dom_text', selector: 'h1', contains: 'x'.repeat(10_000_000) }, '4096'],
  ['a million parts', { kind: 'and', children: Array(1_000_000).fill({ kind: 'no_dialog' }) }, '64 assertions at most'],
])('a contract with %s is refused', async (_, success, sentence) => {
  const said = await refused(write('t.json', JSON.stringify(task('a', { success }))));
  expect(said).toContain(sentence);
  expect(said.length).toBeLessThan(100_000);
});

test('a contract that is 100,000 deep, and one that holds itself, are refused', async () => {
  const deep = `${'{"kind":"not","child":'.repeat(100_000)}{"kind":"no_dialog"}${'}'.repeat(100_000)}`;
  const text = JSON.stringify(task('a')).replace('{"kind":"no_dialog"}', deep);
  expect(await refused(write('t.json', text))).toContain('Assertions may nest 8 deep at most');
  const module = `const success = { kind: 'and', children: [] }; success.children.push(success, success);
export default { ...${JSON.stringify(task('a'))}, success };`;
  expect(await refused(write('cyclic.ts', module))).toContain('Assertions may nest 8 deep at most');
});

test.each([
  [['--sample', '-1'], '--sample needs a value'],
  [['--sample=-1'], '--sample takes a whole number from 1'],
  [['--sample', '1e400'], '--sample takes a whole number from 1'],
  [['--seed', '1.5'], '--seed takes a whole number from 0'],
  [['--limit', '0'], '--limit takes a whole number from 1'],
  [['--shard', '3/2'], '--shard takes i/n'],
  [['--shard', '2/2'], 'The shard 2/2 has no task'],
  [['--retries', 'many'], '--retries takes a whole number from 0'],
  [['--retry-on', 'failed'], '--retry-on has no effect without --retries'],
  [['--retries', '1', '--retry-on', 'passed'], '--retry-on takes outcome classes, but got "passed".'],
  [['--filter', 'nothing-like-it'], 'No task fits all that was asked for.'],
  [['--last-failed'], 'There is no earlier run in'],
  [['--reporter', 'xml'], 'There is no reporter "xml".'],
  [['--reporter', 'line=x'], '--reporter line takes no file'],
  [['--reporter', 'junit='], '--reporter junit takes a file'],
  [['--reporter', 'junit,json'], 'Two reporters would write to the standard output.'],
  [['--reporter', 'junit', '--json'], 'Two reporters would write to the standard output.'],
  [['--reporter', 'github'], 'GITHUB_STEP_SUMMARY is not set'],
  [['--reporter', 'html=/'], '/ is a folder'],
  [['--headed', '--browser', 'shell'], '--headed needs a full Chrome'],
  [['--headed', '--browser', '/opt/chrome-headless-shell'], '--headed needs a full Chrome'],
  // The terminal of these tests has no display.
  ...(process.platform === 'linux' ? [[['--headed'], '--headed needs a display'] as [string[], string]] : []),
  [['--config', 'not-there.ts'], "can't be loaded"],
  [['--watch', '--out', 'x'], '--watch and --out can’t be combined'],
])('%j is refused', async (flags, sentence) => {
  write('oracle.json', JSON.stringify({ format: 'waymark.transcript.v1', task: 'a', moves: [] }));
  expect(await refused(write('t.json', JSON.stringify(task('a'))), ...flags)).toContain(sentence);
});
