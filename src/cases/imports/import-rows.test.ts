/** Rows of every format: what becomes of real ones, of damaged ones, and of hostile ones. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTask } from '../tasks/task.ts';
import { ROW_FORMATS, type RowFormat } from './formats.ts';
import { importRows, type TaskImport } from './import-rows.ts';
import { judgedBy, judgedByText } from './judged-by.ts';
import { rowsOfBytes } from './rows-of-text.ts';

const sites = Object.fromEntries(
  ['SHOPPING', 'SHOPPING_ADMIN', 'REDDIT', 'GITLAB', 'MAP', 'WIKIPEDIA', 'CLASSIFIEDS'].map((name) => [
    name,
    `http://${name.toLowerCase().replace('_', '-')}.test`,
  ]),
);
const FORMATS = Object.keys(ROW_FORMATS) as RowFormat[];
const rowsOf = (format: string): unknown[] =>
  JSON.parse(readFileSync(new URL(`../../../test/graders/benchmarks/${format}.json`, import.meta.url), 'utf8'));
const imported = (text: string | Buffer, format: RowFormat, options: object = {}): TaskImport =>
  importRows(rowsOfBytes(Buffer.from(text)), (row) => ROW_FORMATS[format](row, { sites, ...options }));
const ofRow = (row: unknown, format: RowFormat, options: object = {}) => {
  const { tasks, notPortable, invalid } = imported(JSON.stringify([row]), format, options);
  return tasks[0]?.task ?? notPortable[0] ?? invalid[0];
};

describe('what rows become', () => {
  test.each<[RowFormat, string[]]>([
    [
      'webvoyager',
      [
        'webvoyager-allrecipes--0 by a judge (webvoyager)',
        'webvoyager-bbc-news--20 by a judge (webvoyager)',
        'webvoyager-google-flights--20 by a judge (webvoyager)',
      ],
    ],
    [
      'online-mind2web',
      [
        'online-mind2web-0123456789abcdef0123456789abcdef_110325 by a judge (webjudge)',
        'online-mind2web-fedcba9876543210fedcba9876543210 by a judge (webjudge)',
      ],
    ],
    [
      'webarena-lite',
      ['webarena-lite-0 by the answer', 'webarena-lite-1 by a judge (rubric)', 'webarena-lite-81 by the answer'],
    ],
    [
      'visualwebarena',
      [
        'visualwebarena-classifieds-0 by the contract',
        'visualwebarena-classifieds-4 by the contract',
        'visualwebarena-classifieds-22 by the answer',
        'visualwebarena-shopping-35 by the answer',
        'visualwebarena-shopping-354 by the contract',
        'visualwebarena-shopping-167 by the answer',
        'visualwebarena-classifieds-24 by the answer',
        'visualwebarena-classifieds-8 needs command',
        'visualwebarena-shopping-reddit-43 needs command',
      ],
    ],
    [
      'real',
      [
        'real-v1-dashdish-1 by a judge (rubric)',
        'real-v1-dashdish-2 by the state of the application',
        'real-v1-dashdish-11 by the state of the application, with a judge beside it (rubric)',
        'real-v2-dashdish-1 needs command',
      ],
    ],
    [
      'browseros',
      [
        'browseros-recipes--0 by a judge (webvoyager), with a judge beside it (rubric)',
        'browseros-mind2web-7 by a judge (webjudge)',
        'browseros-wb-0 by a judge (webjudge)',
        'browseros-bc-3 by a judge (rubric)',
        'browseros-real-dashdish-10 needs state-diff',
        'browseros-infinity-notes-1 needs command',
      ],
    ],
    ['waymark', ['read-heading by the contract', 'say-heading by the answer']],
  ])('%s', (format, expected) => {
    const { tasks, notPortable, invalid } = imported(JSON.stringify(rowsOf(format)), format);
    expect(invalid).toEqual([]);
    expect([
      ...tasks.map(({ task }) => `${task.id} ${judgedByText(judgedBy(task))}`),
      ...notPortable.map(({ id, needs }) => `${id} needs ${needs}`),
    ]).toEqual(expected);
    // Each caller that asks a model says why.
    for (const { task, why } of tasks)
      expect([task.id, why !== undefined]).toEqual([task.id, /judge/.test(judgedByText(judgedBy(task)))]);
  });

  test('the state of REAL, with its types', () => {
    expect(ofRow(rowsOf('real')[1], 'real')).toMatchObject({
      startUrl: 'https://evals-dashdish.vercel.app',
      network: { mode: 'live', allowWrites: ['evals-dashdish.vercel.app'] },
      graders: [
        {
          grader: 'state-diff',
          stateUrl: '/finish',
          criteria: [
            expect.objectContaining({ expected: 'Papa Johns Pizza' }),
            expect.objectContaining({ expected: 'Pepperoni Pizza' }),
            expect.objectContaining({ expected: 'Medium' }),
            { query: expect.stringContaining('quantity'), expected: 1, description: 'correct quantity' },
          ],
        },
      ],
      decidedBy: 'state-diff',
    });
  });

  test('alternatives, excluded words, numbers and whole addresses of VisualWebArena', () => {
    const [address, page, , , , numbers] = rowsOf('visualwebarena');
    const classifieds = 'http:\\/\\/classifieds\\.test\\/index\\.php\\?page=item&id=4799';
    expect(ofRow(address, 'visualwebarena')).toMatchObject({
      success: { kind: 'url', pattern: `^(?:${classifieds})/?$` },
    });
    const page_url = 'http://classifieds.test/index.php?page=item&id=84144';
    const word = (text: string): unknown => expect.stringContaining(text);
    expect(ofRow(page, 'visualwebarena')).toMatchObject({
      success: {
        kind: 'and',
        children: [
          { kind: 'dom_text', selector: '.price', page_url, pattern: word('25000\\.00') },
          { kind: 'dom_text', selector: '.desc', page_url, pattern: '(?i)(?:\\$25000|\\$25,000)' },
          { kind: 'not', child: { kind: 'dom_text', selector: '.desc', page_url, pattern: word('30000') } },
          { kind: 'not', child: { kind: 'dom_text', selector: '.desc', page_url, pattern: word('30,000') } },
        ],
      },
    });
    expect(ofRow(numbers, 'visualwebarena')).toMatchObject({
      success: { children: [{ kind: 'script', op: 'lte', value: 70, forgeable: true }, { kind: 'script' }] },
    });
  });

  test('writes to a public site only where the user allows them, and reference answers that the agent does not see', () => {
    const [row] = rowsOf('webvoyager');
    expect(ofRow(row, 'webvoyager')).not.toHaveProperty('network');
    const answers = new Map([['Allrecipes--0', 'A lasagna (possible)']]);
    const task = ofRow(row, 'webvoyager', { allowWrites: true, answers });
    expect(task).toMatchObject({
      network: { mode: 'live', allowWrites: ['allrecipes.com', '*.allrecipes.com'] },
      about: 'WebVoyager, Allrecipes--0. Reference answer: A lasagna (possible)',
      goal: expect.not.stringContaining('A lasagna'),
    });
  });
});

/** The value with another one at a place that the numbers choose. */
function changedAt(value: unknown, path: readonly number[], other: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined || typeof value !== 'object' || value === null) return other;
  const keys = Object.keys(value);
  const key = keys[first % Math.max(1, keys.length)];
  if (key === undefined) return other;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...value };
  Reflect.set(copy, key, changedAt(Reflect.get(value, key), rest, other));
  return copy;
}

test.each(FORMATS)('a damaged row of %s never throws, and what becomes a task can be run', (format) => {
  const rows = rowsOf(format);
  const path = fc.array(fc.nat(20), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(fc.nat(rows.length - 1), path, fc.jsonValue({ maxDepth: 3 }), (index, at, other) => {
      const { tasks, notPortable, invalid } = imported(JSON.stringify([changedAt(rows[index], at, other)]), format);
      expect(tasks.length + notPortable.length + invalid.length).toBe(1);
      for (const { task } of tasks) expect(parseTask(task).ok).toBe(true);
    }),
    { numRuns: 300 },
  );
});

describe('rows that are refused', () => {
  test('are named by line, or by their number in an array', () => {
    expect(imported('\n{"task_id": 1}\n', 'webarena').invalid.map(({ place }) => place)).toEqual(['line 2']);
    expect(imported('[{}, 2]', 'webarena').invalid.map(({ place }) => place)).toEqual(['row 0', 'row 1']);
    expect(imported('{\n  "task_id": 1\n}\n', 'webarena').invalid.map(({ place }) => place)).toEqual(['the file']);
    expect(imported('{"task_id": 1\n{}\n', 'webarena').invalid.map(({ place }) => place)).toEqual(['line 1', 'line 2']);
    expect(imported('\uFEFF[]', 'webarena')).toEqual({ tasks: [], notPortable: [], invalid: [] });
  });

  test('line 9,999 of 10,000, and no other', () => {
    const line = (number: number): string =>
      JSON.stringify({ web_name: 'Site', id: `Site--${number}`, ques: 'What is new?', web: 'https://site.example/' });
    const lines = Array.from({ length: 10_000 }, (_, index) => line(index));
    lines[9_998] = line(9_998).replace('https:', 'file:');
    const { tasks, invalid } = imported(lines.join('\n'), 'webvoyager');
    expect(tasks).toHaveLength(9_999);
    expect(invalid).toEqual([{ place: 'line 9999', reason: 'web: must be an address of the web (http: or https:).' }]);
  });

  test('bytes that are no text, by their line', () => {
    const bytes = Buffer.concat([Buffer.from('{"id": 1}\n{"id": "'), Buffer.from([0xff]), Buffer.from('"}\n')]);
    expect(imported(bytes, 'waymark').invalid).toEqual([{ place: 'line 2', reason: 'It is not UTF-8 text.' }]);
  });

  const webvoyager = { web_name: 'Site', id: 'Site--1', ques: 'What is new?', web: 'https://site.example/' };
  const [mind2web] = rowsOf('online-mind2web') as [object];
  const [browseros] = rowsOf('browseros') as [object];
  const [, real] = rowsOf('real') as [object, { evals: object[] }];
  const [own] = rowsOf('waymark') as [object];
  const deep = (depth: number): unknown => (depth === 0 ? 1 : [deep(depth - 1)]);
  test.each<[string, RowFormat, unknown, string]>([
    ['a path for an id', 'webvoyager', { ...webvoyager, web_name: '../x', id: '../x--1' }, 'id: must be letters'],
    ['another id than the site', 'webvoyager', { ...webvoyager, id: 'Other--1' }, 'id: must be the name of the site'],
    ['a huge field', 'webvoyager', { ...webvoyager, ques: 'x'.repeat(5_000) }, 'ques: Too big'],
    ['half a character', 'webvoyager', { ...webvoyager, ques: 'x\ud800' }, 'It holds NUL or half a surrogate pair.'],
    ['NUL', 'webvoyager', { ...webvoyager, ques: 'x\0' }, 'It holds NUL or half a surrogate pair.'],
    ['a list for a row', 'webvoyager', [[webvoyager]], 'expected object'],
    ['a script for a site', 'online-mind2web', { ...mind2web, website: 'javascript:alert(1)' }, 'website: must be an'],
    ['dots in an id', 'online-mind2web', { ...mind2web, task_id: 'a/../../b' }, 'task_id: must be letters'],
    ['two dots', 'online-mind2web', { ...mind2web, task_id: 'a..b' }, 'task_id: must not hold ".."'],
    ['a level that there is not', 'online-mind2web', { ...mind2web, level: 'extreme' }, 'level: '],
    ['a number for a text', 'online-mind2web', { ...mind2web, confirmed_task: 7 }, 'confirmed_task: '],
    ['an unknown grader', 'browseros', { ...browseros, graders: ['best_grader'] }, 'graders[0]: must be one of'],
    ['an id that hides a file', 'browseros', { ...browseros, query_id: '.hidden' }, 'query_id: must be letters'],
    [
      'a query that is none',
      'real',
      { ...real, evals: [{ ...real.evals[0], query: 'a[' }] },
      'evals[0].query: must be a JMESPath expression',
    ],
    ['another version', 'real', { ...real, version: 'v3' }, 'version: '],
    ['a deep value', 'real', { ...real, evals: [{ ...real.evals[0], expected_value: deep(40) }] }, 'nested deeper'],
    [
      'a task of ours with a file beside it',
      'waymark',
      { ...own, oracle: 'a.json' },
      'It names files that a row cannot',
    ],
    ['a misspelt field of ours', 'waymark', { ...own, maxStep: 1 }, '$.maxStep: Unknown field "maxStep".'],
  ])('%s (%s)', (_, format, row, message) => {
    const { tasks, notPortable, invalid } = imported(JSON.stringify(row), format);
    expect([tasks, notPortable]).toEqual([[], []]);
    expect(invalid).toEqual([
      { place: expect.stringMatching(/^(line 1|row 0)$/), reason: expect.stringContaining(message) },
    ]);
  });

  test('the same id twice, whatever its case', () => {
    const rows = [webvoyager, { ...webvoyager, web_name: 'SITE', id: 'SITE--1' }];
    expect(imported(rows.map((row) => JSON.stringify(row)).join('\n'), 'webvoyager').invalid).toEqual([
      { place: 'line 2', reason: 'The id webvoyager-site--1 is that of line 1, too.' },
    ]);
  });
});
