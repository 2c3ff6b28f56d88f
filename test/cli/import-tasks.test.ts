import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadTasks } from '../../src/cases/index.ts';
import { temporaryFolder, waymark } from './command-line.ts';

const dataOf = (name: string): string => fileURLToPath(new URL(`../graders/benchmarks/${name}`, import.meta.url));
const SITES = [
  'SHOPPING=http://shop.test:7770',
  'SHOPPING_ADMIN=http://shop.test:7780/admin/',
  'REDDIT=http://forum.test:9999',
  'GITLAB=http://git.test:8023',
  'MAP=http://map.test:3000',
  'WIKIPEDIA=http://wiki.test:8888',
].join(',');

describe('waymark import-tasks', () => {
  test('writes a task for each row that can be one, and names the others with the reason', async () => {
    using folder = temporaryFolder();
    const args = ['import-tasks', dataOf('webarena.json'), '--format', 'webarena', '--site', SITES, '--out', 'tasks'];
    expect(await waymark(args, folder.path)).toEqual({
      code: 0,
      err: '',
      out: [
        '7 tasks written to tasks',
        '',
        'Notes:',
        '  It needs a browser that is logged in at shopping_admin. 2 tasks, the first is webarena-0',
        '  Only the answer "N/A" passes; WebArena also asks a model whether another answer gives the reason. 1 task, the first is webarena-22',
        '  It needs a browser that is logged in at shopping. 3 tasks, the first is webarena-22',
        '  It needs a browser that is logged in at gitlab. 1 task, the first is webarena-44',
        '  It needs a browser that is logged in at map. 1 task, the first is webarena-356',
        '  It starts with 3 open tabs there; here with the first, and the goal names the others. 1 task, the first is webarena-431',
        '',
        '2 rows without a counterpart here:',
        '  It asks a model whether the answer means the same. webarena-8, webarena-173',
        '',
        'Next: waymark lint tasks',
        '',
      ].join('\n'),
    });
    const loaded = await loadTasks([path.join(folder.path, 'tasks')]);
    expect(loaded.map(({ task }) => [task.id, task.decidedBy ?? 'contract'])).toEqual([
      ['webarena-0', 'answer'],
      ['webarena-118', 'contract'],
      ['webarena-22', 'answer'],
      ['webarena-3', 'answer'],
      ['webarena-356', 'contract'],
      ['webarena-431', 'contract'],
      ['webarena-44', 'contract'],
    ]);
    expect(JSON.parse(readFileSync(path.join(folder.path, 'tasks', 'suite.json'), 'utf8')).about).toMatch(
      /^Imported by waymark import-tasks from webarena\.json \(webarena, SHA-256 [0-9a-f]{64}\)\.$/,
    );
    expect((await waymark(['lint', 'tasks'], folder.path)).code).toBe(0);
  });

  test('writes the graders of WebArena-Verified, and never over a file', async () => {
    using folder = temporaryFolder();
    const args = ['import-tasks', dataOf('webarena-verified.json'), '--format', 'webarena-verified', '--site', SITES];
    const written = await waymark([...args, '--out', '.', '--json'], folder.path);
    const { files, notPortable } = JSON.parse(written.out) as { files: string[]; notPortable: unknown[] };
    expect([files.length, notPortable]).toEqual([25, []]);
    const [{ task } = { task: undefined }] = await loadTasks([
      path.join(folder.path, 'webarena-verified-533.task.json'),
    ]);
    expect(task?.startUrl).toBe('http://git.test:8023');
    expect(task?.graders).toEqual([
      {
        grader: 'answer',
        checker: {
          kind: 'json',
          subset: true,
          empty_as_null: true,
          keys: { task_type: { kind: 'exact' }, status: { kind: 'exact' } },
        },
        expected: { task_type: 'mutate', status: 'SUCCESS' },
      },
      {
        grader: 'network',
        expect: [
          { url: 'http://git.test:8023/users/convexegg/follow.json', method: 'POST', status: 302 },
          { url: 'http://git.test:8023/users/yjlou/follow.json', method: 'POST', status: 302 },
        ],
      },
      { grader: 'all', of: ['answer', 'network'] },
    ]);
    const again = await waymark([...args, '--out', '.'], folder.path);
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('suite.json already exists.')]);
  });

  test('rows of sites that have no address are named', async () => {
    using folder = temporaryFolder();
    const args = ['import-tasks', dataOf('webarena.json'), '--format', 'webarena', '--out', 'tasks', '--json'];
    const { code, out } = await waymark(args, folder.path);
    const { notPortable } = JSON.parse(out) as { notPortable: { id: string; reason: string }[] };
    expect(code).toBe(0);
    expect(notPortable[0]).toEqual({
      id: 'webarena-0',
      reason: 'It names the site SHOPPING_ADMIN, and no --site says where that is.',
    });
    expect(existsSync(path.join(folder.path, 'tasks'))).toBe(false);
  });

  test.each<[string, string | Buffer, string]>([
    ['no JSON', '[{"task_id": 1', 'the file: This is not valid JSON.'],
    ['a row that is no object', '[1]', 'row 0: '],
    ['a key twice', '{"task_id": 1, "task_id": 2}', 'line 1: '],
    ['a deep row', `${'['.repeat(40)}${']'.repeat(40)}`, 'the file: JSON is nested deeper'],
    ['a row with a wrong field', '{}\n\n{"task_id": "x"}', 'line 3: '],
    ['nothing', '\n', 'The file has no rows.'],
    ['other bytes', Buffer.from([0xff, 0xfe, 0x00]), 'The file is not UTF-8 text.'],
  ])('%s is refused with its place, and nothing is written', async (_, content, message) => {
    using folder = temporaryFolder();
    writeFileSync(path.join(folder.path, 'rows.json'), content);
    const args = ['import-tasks', 'rows.json', '--format', 'webarena', '--out', 'tasks'];
    const { code, err } = await waymark(args, folder.path);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    expect(readdirSync(folder.path)).toEqual(['rows.json']);
  });

  test('a hostile row makes no file outside the folder, and one row twice is refused', async () => {
    using folder = temporaryFolder();
    const row = {
      task_id: 1,
      sites: [],
      start_url: 'http://a.test/',
      intent: 'x',
      eval: { eval_types: ['string_match'], reference_answers: { exact_match: '../../x' } },
    };
    const rows = path.join(folder.path, 'rows.json');
    const args = ['import-tasks', 'rows.json', '--format', 'webarena', '--out', 'tasks'];
    for (const change of [
      { task_id: '../../x' },
      { task_id: -1 },
      { start_url: 'file:///etc/passwd' },
      { intent: 'x'.repeat(9000) },
    ]) {
      writeFileSync(rows, JSON.stringify([row, { ...row, ...change }]));
      expect(await waymark(args, folder.path)).toMatchObject({ code: 2, err: expect.stringContaining('row 1: ') });
    }
    writeFileSync(rows, JSON.stringify([row, row]));
    const twice = await waymark(args, folder.path);
    expect(twice.err).toContain('row 1: The id webarena-1 is that of row 0, too.');
    expect(existsSync(path.join(folder.path, 'tasks'))).toBe(false);
    writeFileSync(rows, JSON.stringify([row]));
    expect((await waymark(args, folder.path)).code).toBe(0);
    expect(readdirSync(path.join(folder.path, 'tasks')).sort()).toEqual(['suite.json', 'webarena-1.task.json']);
  });

  test.each([
    [['--format', 'webarena'], 'Give --out <folder>.'],
    [['--out', 'x'], 'Give --format <name>.'],
    [['--format', 'gaia', '--out', 'x'], 'There is no format "gaia".'],
    [['--format', 'webarena', '--out', 'x', '--site', 'shop'], '"shop" is not a site.'],
    [['--format', 'webarena', '--out', 'x', '--site', 'A=http://a,A=http://b'], 'The site A is given twice.'],
  ])('%j: %s', async (flags, message) => {
    const { code, err } = await waymark(['import-tasks', dataOf('webarena.json'), ...flags]);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});
