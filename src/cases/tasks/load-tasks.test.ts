import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BadTasks, loadTasks } from './load-tasks.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-tasks-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const task = (id: string, changes: object = {}) => ({
  id,
  title: 'A task',
  startUrl: 'https://example.com/',
  goal: 'Look.',
  success: { kind: 'no_dialog' },
  ...changes,
});

function put(name: string, content: unknown): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const ids = async (...places: string[]) => (await loadTasks(places)).map((loaded) => loaded.task.id);
const refusal = async (...places: string[]) => {
  const error: unknown = await loadTasks(places).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'WaymarkError', code: 'usage_bad_tasks' });
  return error as BadTasks;
};

describe('where tasks come from', () => {
  test('a file, with what its paths are relative to', async () => {
    const file = put('one.task.json', task('one'));
    expect(await loadTasks([file])).toMatchObject([{ task: { id: 'one', maxSteps: 30 }, source: file, folder }]);
  });

  test('a folder, in the order of names; what is no task file is left alone', async () => {
    put('b.task.json', task('b'));
    put('a.json', task('a'));
    put('c.tasks.jsonl', `${JSON.stringify(task('c1'))}\n\n${JSON.stringify(task('c2'))}\n`);
    put('d.task.ts', `export default ${JSON.stringify(task('d'))};`);
    put('fixture.ts', 'throw new Error("nobody loads this");');
    put('a.recording.json', '{}');
    put('oracles/a.json', '{}');
    put('README.md', '# Tasks');
    expect(await ids(folder)).toEqual(['a', 'b', 'c1', 'c2', 'd']);
  });

  test('JSONL names the line', async () => {
    const file = put('many.jsonl', `${JSON.stringify(task('one'))}\n\n${JSON.stringify(task('two'))}`);
    expect((await loadTasks([file])).map(({ source }) => source)).toEqual([`${file}:1`, `${file}:3`]);
  });

  test('a TypeScript module, of one task or of several', async () => {
    const one = put(
      'one.ts',
      `const id: string = 'one';\nexport default ${JSON.stringify(task('x')).replace('"x"', 'id')};`,
    );
    const many = put('many.ts', `export default ${JSON.stringify([task('two'), task('three')])};`);
    const loaded = await loadTasks([one, many]);
    expect(loaded.map(({ task: { id }, source }) => [id, source])).toEqual([
      ['one', one],
      ['two', `${many}[0]`],
      ['three', `${many}[1]`],
    ]);
  });
});

describe('what is refused, all of it at once', () => {
  test('problems of several files, by file and path', async () => {
    const a = put('a.task.json', task('A'));
    const b = put('b.tasks.jsonl', `${JSON.stringify(task('b'))}\n${JSON.stringify(task('c', { maxSteps: 0, x: 1 }))}`);
    const { message, hint } = await refusal(a, b);
    expect(message).toBe(
      [
        '3 problems in the tasks; nothing was run.',
        `${a}: $.id: "id" must be lower-case letters, digits, ".", "_" and "-", and begin with a letter or digit.`,
        `${b}:2: $.maxSteps: "maxSteps" must be 1 or more, not 0.`,
        `${b}:2: $.x: Unknown field "x".`,
      ].join('\n'),
    );
    expect(hint).toBe('docs/reference/task.md describes every field.');
  });

  test('the same as data: file, path, code and sentence', async () => {
    const [a, b, c, d] = [
      put('a.task.json', {
        ...task('a', { maxSteps: 101, maxDurationMs: 'long', x: 1, tags: [''] }),
        title: undefined,
      }),
      put('b.task.json', task('b', { success: { kind: 'nothing' }, startUrl: 'file:///etc/passwd' })),
      put('c.task.json', '{'),
      put('d.task.json', task('b2')),
    ];
    const twice = put('e.task.json', task('b2'));
    const missing = path.join(folder, 'missing.json');
    const { problems } = await refusal(a, b, c, d, twice, missing);
    expect(problems.map(({ source, path: at, code }) => [source, at, code])).toEqual([
      [c, '$', 'not_json'],
      [missing, '$', 'unreadable'],
      [a, '$.title', 'missing'],
      [a, '$.maxSteps', 'too_big'],
      [a, '$.maxDurationMs', 'wrong_type'],
      [a, '$.tags.0', 'too_small'],
      [a, '$.x', 'unknown_field'],
      [b, '$.startUrl', 'bad_value'],
      [b, '$.success.kind', 'bad_contract'],
      [twice, '$.id', 'duplicate_id'],
    ]);
    expect(problems.every(({ message }) => message.length > 5)).toBe(true);
    expect((await refusal(path.dirname(put('empty/README.md', '')))).problems).toMatchObject([{ code: 'no_tasks' }]);
  });

  test('a task knows its dataset: its folder, or the file of several that it is in', async () => {
    const suite = put('my-suite/one.task.json', task('one'));
    const many = put('my-suite/web.tasks.jsonl', JSON.stringify(task('two')));
    const list = put('my-suite/list.ts', `export default ${JSON.stringify([task('three')])};`);
    expect((await loadTasks([suite, many, list])).map(({ dataset }) => dataset)).toEqual(['my-suite', 'web', 'list']);
  });

  test('one id twice', async () => {
    const [a, b] = [put('a.task.json', task('same')), put('b.task.json', task('same'))];
    expect((await refusal(folder)).message).toBe(
      `1 problem in the tasks; nothing was run.\n${b}: $.id: "same" is also the id of ${a}.`,
    );
  });

  test('what is no JSON', async () => {
    const file = put('a.task.json', '{"id": ');
    expect((await refusal(file)).message).toBe(
      `1 problem in the tasks; nothing was run.\n${file}: no JSON: Unexpected end of JSON input`,
    );
  });

  test('a file that is not there', async () => {
    const file = path.join(folder, 'nowhere.json');
    expect((await refusal(file)).message).toBe(
      `1 problem in the tasks; nothing was run.\n${file}: ENOENT: no such file or directory, stat '${file}'`,
    );
  });

  test('a module that throws, and one that exports nothing', async () => {
    const throws = put('throws.task.ts', 'throw new Error("broken");');
    const empty = put('empty.task.ts', 'export const task = 1;');
    expect((await refusal(throws, empty)).message).toBe(
      `2 problems in the tasks; nothing was run.\n${throws}: broken\n${empty}: $: A task must be an object.`,
    );
  });

  test('a folder without tasks', async () => {
    const { message, hint } = await refusal(folder);
    expect(message).toBe(`No task was found in ${folder}.`);
    expect(hint).toBe('Give a task file (.json, .jsonl, .ts) or a folder that holds some.');
    expect((await refusal()).message).toBe('No task was found in nothing.');
  });
});
