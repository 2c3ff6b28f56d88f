/** `waymark calibrate` on recorded runs and on recorded replies of a judge. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { startModelServer } from '../support/model-server.ts';
import { temporaryFolder, waymark } from './command-line.ts';

afterEach(() => vi.unstubAllEnvs());

const RUNS = path.join(import.meta.dirname, '../old-data/runs');
const REPLIES = path.join(import.meta.dirname, '../graders/data/webjudge-replies.jsonl');

const run = (name: string): string => path.join(RUNS, name);
const jsonl = (lines: readonly unknown[]): string =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');

test('docs/how-to/calibrate-a-judge.md shows lines that are read', async () => {
  const page = readFileSync(path.join(import.meta.dirname, '../../docs/how-to/calibrate-a-judge.md'), 'utf8');
  const [, shown = ''] = /^```jsonl\n(.*?)^```$/ms.exec(page) ?? [];
  const { code, err } = await calibrate(
    ['contract', '--labels', 'lines.jsonl', '--run', run('failing')],
    [shown.trim()],
  );
  expect(code).toBe(2);
  // What is wrong with them is only that this run has no such cases.
  expect(
    err.match(/^line \d: The run .* has no case "[\w-]+"\.$|^line 3: .*earlier is no run: it is not there\.$/gm),
  ).toHaveLength(4);
});

/** Runs the command on a file of these lines. */
async function calibrate(args: readonly string[], lines: readonly unknown[]) {
  using folder = temporaryFolder();
  writeFileSync(path.join(folder.path, 'lines.jsonl'), jsonl(lines));
  const said = await waymark(['calibrate', ...args], folder.path);
  return { ...said, err: said.err.replaceAll(`${folder.path}${path.sep}`, '') };
}

const PASSED = ['example-h1', 'keys-chord'].flatMap((caseId) => [1, 2].map((trial) => ({ caseId, trial })));

test('recorded replies of a judge give the figures that the head of their file states', async () => {
  const [head = '{}'] = readFileSync(REPLIES, 'utf8').split('\n', 1);
  const { figures } = JSON.parse(head);
  const { code, out } = await waymark(['calibrate', 'webjudge', '--replies', REPLIES, '--json']);
  expect(code).toBe(0);
  const { judges } = JSON.parse(out);
  const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;
  const found = judges.map(({ judge, compared, rows, agreement, kappa }: (typeof judges)[number]) => [
    judge,
    { judged: compared, agreement: rounded(agreement.rate), kappa: rounded(kappa.value), rows },
  ]);
  expect(Object.fromEntries(found)).toEqual(figures);
  expect(figures.gpt4o).toEqual({ judged: 48, agreement: 0.5, kappa: 0, rows: 49 });
  // A reply without a verdict is an error of the judge: neither a pass nor a failure.
  for (const { notCompared } of judges) expect(notCompared).toEqual({ noReference: 0, judgeError: 1, judgeSkipped: 0 });
});

test('prints the table, the numbers with their intervals and the differences, as docs/how-to/calibrate-a-judge.md shows', async () => {
  const { code, out } = await waymark(['calibrate', 'webjudge', '--replies', REPLIES]);
  expect(code).toBe(0);
  const page = readFileSync(path.join(import.meta.dirname, '../../docs/how-to/calibrate-a-judge.md'), 'utf8');
  const [, shown = 'nothing'] = /^```\n(webjudge, judge o4-mini.*?)^```$/ms.exec(page) ?? [];
  expect(out).toContain(`${shown}\nwhere it differs or has no verdict:\n`);
  expect(out).toMatch(/line \d+: people say pass, it says error: The reply is empty\./);
});

test('runs a grader over labelled attempts of several runs, which stay as they are', async () => {
  const grades = path.join(run('failing'), 'episodes/fail-wrong-text/trial-1');
  const lines = [
    ...PASSED.map((one, index) => ({ ...one, run: run('two-tasks-two-trials'), label: index === 0 ? 'fail' : 'pass' })),
    { caseId: 'fail-wrong-text', label: 0 },
    { caseId: 'fail-no-progress', label: '1', note: 'It was there, but slow.' },
    { caseId: 'fail-hung-page', label: 2 },
    { caseId: 'fail-dead-host', attempt: 1, label: 'fail' },
  ];
  const args = ['contract', '--labels', 'lines.jsonl', '--run', run('failing')];
  const { code, out, err } = await calibrate([...args, '--json'], lines);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const { judges } = JSON.parse(out);
  expect(judges).toHaveLength(1);
  expect(judges[0]).toMatchObject({
    judge: null,
    rows: 8,
    notExecutable: 1,
    compared: 7,
    table: { bothPass: 3, onlyJudge: 1, onlyReference: 1, neither: 2 },
    notCompared: { noReference: 0, judgeError: 0, judgeSkipped: 0 },
    differences: [
      { line: 1, label: 'fail', verdict: 'pass', attempt: { caseId: 'example-h1', trial: 1, attempt: 1 } },
      { line: 6, label: 'pass', verdict: 'fail', attempt: { caseId: 'fail-no-progress', run: run('failing') } },
    ],
  });
  expect(() => readFileSync(path.join(grades, 'grades.jsonl'))).toThrow('ENOENT');
  expect((await calibrate(args, lines)).err).toMatch(/^\d\/7 {2}example-h1 {2}pass, labelled fail: differs$/m);
});

test('--recorded takes the grades that a run has, by the model that gave them', async () => {
  using copy = temporaryFolder(run('two-tasks-two-trials'));
  const grade = { grader: 'webjudge', round: 1, verdict: 'fail', score: 0, reasoning: 'No.', details: {}, at: 1 };
  const file = (one: (typeof PASSED)[number]): string =>
    path.join(copy.path, 'episodes', one.caseId, `trial-${one.trial}`, 'grades.jsonl');
  for (const one of PASSED.slice(0, 2))
    writeFileSync(file(one), jsonl([grade, { ...grade, round: 2, verdict: 'pass', score: 1, model: 'openai:m' }]));
  const args = ['webjudge', '--labels', 'lines.jsonl', '--run', copy.path, '--recorded', '--json'];
  const { out } = await calibrate(
    args,
    PASSED.slice(0, 3).map((one) => ({ ...one, label: 'pass' })),
  );
  expect(JSON.parse(out).judges).toMatchObject([
    { judge: 'openai:m', rows: 3, compared: 2, table: { bothPass: 2 }, notCompared: { judgeSkipped: 1 } },
  ]);
});

test('every line that can’t be used is named by its number, and then nothing is judged', async () => {
  const labels = ['contract', '--labels', 'lines.jsonl', '--run', run('failing')];
  const { code, out, err } = await calibrate(labels, [
    { caseId: 'fail-wrong-text', label: 'pass' },
    '{"caseId": "fail-wrong-text", ',
    '',
    { caseId: 'fail-wrong-text', label: 'maybe' },
    { caseId: 'fail-wrong-text', trail: 1, label: 1 },
    { label: 1 },
    '["fail-wrong-text", 1]',
    '{"caseId": "a", "caseId": "b", "label": 1}',
  ]);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err.split('\n')).toEqual([
    "waymark: lines.jsonl can't be used as it is:",
    'line 2: This is not valid JSON.',
    'line 4: label: must be "pass" or 1, "fail" or 0, or "not_executable" or 2; not "maybe".',
    expect.stringMatching(/^line 5: .*trail/),
    expect.stringMatching(/^line 6: caseId: /),
    expect.stringMatching(/^line 7: It: .*object/),
    'line 8: JSON has the key "caseId" twice in one object.',
    'docs/how-to/calibrate-a-judge.md says what the lines are. Nothing was judged.',
    '',
  ]);
  const missing = await calibrate(labels, [
    { caseId: 'fail-wrong-text', label: 1 },
    { caseId: 'fail-wrong-text', label: 0 },
    { caseId: 'other', label: 1 },
    { caseId: 'fail-wrong-text', trial: 3, label: 1 },
    { caseId: 'fail-wrong-text', attempt: 2, label: 1 },
    { caseId: 'fail-wrong-text', run: 'nowhere', label: 1 },
  ]);
  expect(missing.err.split('\n').slice(1, 6)).toEqual([
    'line 2: Line 1 labels the same attempt.',
    `line 3: The run ${run('failing')} has no case "other".`,
    `line 4: The case fail-wrong-text has no trial 3 in ${run('failing')}.`,
    'line 5: The case fail-wrong-text, trial 1, has no finished attempt 2.',
    'line 6: nowhere is no run: it is not there.',
  ]);
  const replies = await calibrate(
    ['webjudge', '--replies', 'lines.jsonl'],
    [
      { about: 'A head is for people.' },
      { reply: 'Status: success', label: 1 },
      { reply: 'Status: success' },
      { reply: 7, label: 1 },
      { reply: 'Status: success', label: 1, human: 0 },
    ],
  );
  expect(replies.code).toBe(2);
  expect(replies.err).toContain('line 3: It: needs one label: "label" or "human".\n');
  expect(replies.err).toMatch(/line 4: reply: .*\nline 5: It: needs one label/);
});

test('a file may be of one judge that has no name, and of another grader', async () => {
  const lines = [
    { reply: 'All is there.\nSUCCESS', label: 'pass' },
    { reply: 'NOT SUCCESS', label: 'pass' },
    { reply: 'I can’t tell.', label: 'not_executable' },
  ];
  const { code, out } = await calibrate(['webvoyager', '--replies', 'lines.jsonl', '--json'], lines);
  expect(code).toBe(0);
  expect(JSON.parse(out).judges).toMatchObject([
    { judge: null, rows: 3, notExecutable: 1, table: { bothPass: 1, onlyJudge: 0, onlyReference: 1, neither: 0 } },
  ]);
});

test.each<[string, readonly string[], RegExp]>([
  ['no grader', ['--replies', 'lines.jsonl'], /Give the grader to calibrate/],
  ['two graders', ['webjudge', 'rubric', '--replies', 'lines.jsonl'], /one grader at a time/],
  ['neither labels nor replies', ['webjudge'], /Give --labels or --replies/],
  ['both', ['webjudge', '--labels', 'lines.jsonl', '--replies', 'lines.jsonl'], /exclude each other/],
  [
    'a grader whose replies can’t be read',
    ['contract', '--replies', 'lines.jsonl'],
    /replies of "contract" can't be read/,
  ],
  ['an unknown grader', ['vibes', '--labels', 'lines.jsonl', '--run', run('failing')], /There is no grader "vibes"/],
  ['a file that is not there', ['webjudge', '--replies', 'none.jsonl'], /none\.jsonl can't be read/],
])('%s is refused with a sentence', async (_, args, expected) => {
  const { code, err } = await calibrate(args, [{ caseId: 'fail-wrong-text', label: 1 }]);
  expect(code).toBe(2);
  expect(err).toMatch(expected);
});

test('where nothing can be compared, the exit code says so, and no number is made up', async () => {
  const lines = [{ caseId: 'fail-wrong-text', label: 2 }];
  const { code, out } = await calibrate(['contract', '--labels', 'lines.jsonl', '--run', run('failing')], lines);
  expect(code).toBe(1);
  expect(out).toContain('contract: 0 of 1 labelled lines compared\nnot compared: 1 not executable\n');
  expect(out).toContain('κ is not defined: nothing was compared.');
});

/** A judge that is asked once for each attempt. */
const RUBRIC = JSON.stringify({
  grader: 'rubric',
  pictures: 0,
  criteria: [{ id: 'done', description: 'The task is done.', about: 'outcome', weight: 1 }],
});
const scored = (score: number): string =>
  JSON.stringify({ scores: [{ id: 'done', score, reason: 'As it seems.', outside_control: false }] });
const LABELLED = [
  ...PASSED.map((one) => ({ ...one, label: 'pass' })),
  { caseId: 'fail-wrong-text', run: run('failing'), label: 'fail' },
  { caseId: 'fail-dead-host', run: run('failing'), label: 'not_executable' },
];

test('a judge is asked within its caps, as often as there are votes; calls, tokens and cost are shown', async () => {
  await using server = await startModelServer();
  vi.stubEnv('TEST_JUDGE_KEY', 'sk-test');
  using folder = temporaryFolder();
  writeFileSync(path.join(folder.path, 'rubric.json'), RUBRIC);
  writeFileSync(path.join(folder.path, 'lines.jsonl'), jsonl(LABELLED));
  const judged = async (...more: string[]) =>
    await waymark(
      [
        ...['calibrate', 'rubric.json', '--labels', 'lines.jsonl', '--run', run('two-tasks-two-trials')],
        ...[
          '--judge-model',
          'openai:gpt-4o-mini',
          '--judge-base-url',
          server.baseUrl,
          '--judge-key-env',
          'TEST_JUDGE_KEY',
        ],
        ...more,
      ],
      folder.path,
    );
  server.answer('gpt-4o-mini', ({ prompt }) => ({
    text: scored(prompt.includes('Control+Shift+K') ? 0 : 1),
    tokens: { input: 1000, output: 1 },
  }));
  const { code, out } = await judged('--json', '--judge-votes', '3');
  expect(code).toBe(0);
  const { judges } = JSON.parse(out);
  // Five attempts, three votes each; a case that could not be executed costs nothing.
  expect(judges).toMatchObject([
    {
      judge: 'openai:gpt-4o-mini',
      rows: 6,
      notExecutable: 1,
      table: { bothPass: 2, onlyJudge: 1, onlyReference: 2, neither: 0 },
      cost: { calls: 15, inputTokens: 15_000, outputTokens: 15, unknownUsd: 0 },
    },
  ]);
  expect(judges[0].cost.usd).toBeGreaterThan(0);
  expect(server.count()).toBe(15);
  const capped = await judged('--max-judge-calls', '3', '--concurrency', '1');
  expect(capped.out).toContain('3 of 6 labelled lines compared\nnot compared: 2 errors, 1 not executable\n');
  expect(capped.out).toContain('3 calls, tokens read / written: 3,000 / 3, cost: $0.00045');
  expect(capped.out).toContain('The 3 calls that grading may make are used up.');
  expect(server.count()).toBe(18);
});

test('without a model the judge is skipped, and the exit code says that nothing was compared', async () => {
  using folder = temporaryFolder();
  writeFileSync(path.join(folder.path, 'rubric.json'), RUBRIC);
  writeFileSync(path.join(folder.path, 'lines.jsonl'), jsonl(LABELLED.slice(0, 1)));
  const args = ['calibrate', 'rubric.json', '--labels', 'lines.jsonl', '--run', run('two-tasks-two-trials')];
  const { code, out } = await waymark(args, folder.path);
  expect(code).toBe(1);
  expect(out).toContain('not compared: 1 skipped\n');
  expect(out).toContain('--judge-model names one');
});
