import { createHash } from 'node:crypto';
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

describe('waymark import', () => {
  test('writes a task for each row, says by what it is judged, and keeps the hash of the file', async () => {
    using folder = temporaryFolder();
    const args = ['import', dataOf('webarena.json'), '--format', 'webarena', '--site', SITES, '--out', 'tasks'];
    expect(await waymark(args, folder.path)).toEqual({
      code: 0,
      err: '',
      out: [
        '9 tasks written to tasks',
        '  3 by the answer',
        '  1 by a judge (rubric). A model is asked whether it means the same (fuzzy_match).',
        '  4 by the contract',
        '  1 by the contract, with a judge beside it (rubric). A model is asked whether it means the same (fuzzy_match).',
        '',
        'Notes:',
        '  It needs a browser that is logged in at shopping_admin. 2 tasks, the first is webarena-0',
        '  It needs a browser that is logged in at map. 2 tasks, the first is webarena-8',
        '  Only the answer "N/A" passes; the benchmark also asks a model whether another answer gives the reason. 1 task, the first is webarena-22',
        '  It needs a browser that is logged in at shopping. 3 tasks, the first is webarena-22',
        '  It needs a browser that is logged in at gitlab. 2 tasks, the first is webarena-44',
        '  It starts with 3 open tabs there; here with the first, and the goal names the others. 1 task, the first is webarena-431',
        '',
        'Next: waymark lint tasks',
        '',
      ].join('\n'),
    });
    const loaded = await loadTasks([path.join(folder.path, 'tasks')]);
    expect(loaded.map(({ task }) => [task.id, task.decidedBy ?? 'contract'])).toEqual([
      ['webarena-0', 'answer'],
      ['webarena-118', 'contract'],
      ['webarena-173', 'contract'],
      ['webarena-22', 'answer'],
      ['webarena-3', 'answer'],
      ['webarena-356', 'contract'],
      ['webarena-431', 'contract'],
      ['webarena-44', 'contract'],
      ['webarena-8', 'rubric'],
    ]);
    const sha256 = createHash('sha256')
      .update(readFileSync(dataOf('webarena.json')))
      .digest('hex');
    expect(loaded[0]?.task.source).toEqual({ format: 'webarena', file: 'webarena.json', sha256, row: 'row 0' });
    expect(JSON.parse(readFileSync(path.join(folder.path, 'tasks', 'suite.json'), 'utf8')).about).toMatch(
      /^Imported by waymark import from webarena\.json \(webarena, SHA-256 [0-9a-f]{64}\)\.$/,
    );
    expect((await waymark(['lint', 'tasks'], folder.path)).code).toBe(0);
  });

  test('writes the graders of WebArena-Verified, and never over a file', async () => {
    using folder = temporaryFolder();
    const args = ['import', dataOf('webarena-verified.json'), '--format', 'webarena-verified', '--site', SITES];
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

  test('names the grader that a row without a task needs, and takes a folder of JSON files', async () => {
    using folder = temporaryFolder();
    const rows = JSON.parse(readFileSync(dataOf('real.json'), 'utf8')) as { id: string; version: string }[];
    for (const row of rows) writeFileSync(path.join(folder.path, `${row.version}-${row.id}.json`), JSON.stringify(row));
    const { code, out } = await waymark(['import', '.', '--format', 'real', '--out', 'tasks'], folder.path);
    expect([code, out.split('\n')]).toEqual([
      0,
      [
        '3 tasks written to tasks',
        '  1 by a judge (rubric). A model is asked about the answer (llm_boolean).',
        '  1 by the state of the application, with a judge beside it (rubric). A model is asked about the answer (llm_boolean).',
        '  1 by the state of the application',
        '',
        '1 row without a task:',
        '  It is judged by a script in Python of the benchmark. A grader of the kind command could do it. real-v2-dashdish-1',
        '',
        'Next: waymark lint tasks',
        '',
      ],
    ]);
    const task = JSON.parse(readFileSync(path.join(folder.path, 'tasks/real-v1-dashdish-2.task.json'), 'utf8'));
    expect(task.source.row).toBe('v1-dashdish-2.json');
  });

  test('keeps reference answers of WebVoyager for people', async () => {
    using folder = temporaryFolder();
    const args = ['import', dataOf('webvoyager.json'), '--format', 'webvoyager', '--out', 'tasks'];
    const answers = ['--answers', dataOf('webvoyager.answers.json')];
    expect(await waymark([...args, ...answers], folder.path)).toMatchObject({ code: 0 });
    const task = readFileSync(path.join(folder.path, 'tasks/webvoyager-allrecipes--0.task.json'), 'utf8');
    expect(JSON.parse(task).about).toMatch(
      /^WebVoyager, Allrecipes--0\. Reference answer: 'Vegetarian Four Cheese Lasagna', /,
    );
  });

  test('rows of sites that have no address are named', async () => {
    using folder = temporaryFolder();
    const args = ['import', dataOf('webarena.json'), '--format', 'webarena', '--out', 'tasks', '--json'];
    const { code, out } = await waymark(args, folder.path);
    const { notPortable } = JSON.parse(out) as { notPortable: object[] };
    expect(code).toBe(0);
    expect(notPortable[0]).toEqual({
      id: 'webarena-0',
      needs: null,
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
    ['other bytes', Buffer.from([0xff, 0xfe, 0x00]), 'line 1: It is not UTF-8 text.'],
  ])('%s is refused with its place, and nothing is written', async (_, content, message) => {
    using folder = temporaryFolder();
    writeFileSync(path.join(folder.path, 'rows.json'), content);
    const args = ['import', 'rows.json', '--format', 'webarena', '--out', 'tasks'];
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
    const args = ['import', 'rows.json', '--format', 'webarena', '--out', 'tasks'];
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
    [
      ['--format', 'webarena', '--out', 'x', '--seeds', '1'],
      '--seeds is for miniwob and browsergym, not for webarena.',
    ],
    [['--format', 'webarena', '--out', 'x', '--data', 'webarena=y'], '--data is for browsergym, not for webarena.'],
    [['--format', 'browsergym', '--out', 'x', '--data', 'gaia=y'], '--data has no benchmark "gaia".'],
    [['--format', 'webvoyager', '--out', 'x', '--answers', 'nowhere.json'], "nowhere.json can't be read: "],
    [['--format', 'webarena', '--out', 'x', '--site', 'shop'], '"shop" is not a value of --site.'],
    [['--format', 'webarena', '--out', 'x', '--site', 'A=http://a,A=http://b'], '--site names A twice.'],
  ])('%j: %s', async (flags, message) => {
    const { code, err } = await waymark(['import', dataOf('webarena.json'), ...flags]);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});
