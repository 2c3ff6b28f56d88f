/** `waymark run <dataset> --model …` as a user runs it, against models on loopback. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { QuestionReport } from '../../src/runs/index.ts';
import { type Folder, temporaryFolder, waymark } from '../cli/command-line.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';

const MAIN = path.resolve('src/cli/main.ts');

const ITEMS = [
  { id: 'right', type: 'freeform', section: 'facts', prompt_text: 'The capital of France?', answer: 'Paris' },
  { id: 'wrong', type: 'freeform', section: 'facts', prompt_text: 'The capital of Japan?', answer: 'Tokyo' },
  { id: 'fails', type: 'freeform', section: 'facts', prompt_text: 'The capital of Chile?', answer: 'Santiago' },
  { id: 'open', type: 'judge', section: 'open', prompt_text: 'Why is the sky blue?', criteria: 'Names scattering.' },
];
const ANSWERS: Record<string, string> = {
  'The capital of France?': 'Paris',
  'The capital of Japan?': '<b>Kyoto</b>',
  'Why is the sky blue?': 'Air scatters blue light.',
};

let models: ModelServer;
let folder: Folder;
beforeAll(async () => {
  models = await startModelServer();
  folder = temporaryFolder();
});
afterAll(async () => {
  folder?.[Symbol.dispose]();
  await models?.[Symbol.asyncDispose]();
});
beforeEach(() => {
  models.reset();
  models.answer('m', ({ prompt }) =>
    ANSWERS[prompt] === undefined ? { status: 500, text: 'Out of order.' } : { text: ANSWERS[prompt] },
  );
  put('items.jsonl', ITEMS);
});

function put(name: string, items: readonly object[]): void {
  writeFileSync(path.join(folder.path, name), items.map((item) => `${JSON.stringify(item)}\n`).join(''));
}

const run = (...args: string[]) => waymark(['run', 'items.jsonl', '--base-url', models.baseUrl, ...args], folder.path);
const at = (...names: string[]) => path.join(folder.path, ...names);
const text = (...names: string[]) => readFileSync(at(...names), 'utf8');
const report = (name: string): QuestionReport => JSON.parse(text(name, 'report.json'));
const asked = (prompt: string) => models.calls.filter((call) => call.prompt === prompt).length;

test('a right, a wrong, a failed and a judged answer; then resumed when the endpoint works again', async () => {
  const first = await run(
    '--model',
    'openai-compatible:m',
    '--out',
    'a',
    '--system',
    'Be brief.',
    '--temperature',
    '0',
  );
  expect(first.code).toBe(1);
  expect(first.out).toBe(
    `1 of 2 right (50.0 %, 95 % interval 9.5 % – 90.5 %)\n3 of 4 items answered, 1 with errors, 0 not asked; 2 scored\nreport: ${at('a', 'report.html')}\n`,
  );
  expect(first.err).toContain('warning: 1 item can only be scored by a judge, and none is chosen');
  expect(first.err).toContain('4/4  fails  error  The endpoint replied 500: Out of order.');
  expect(models.calls[0]).toMatchObject({ temperature: 0 });
  expect(models.calls[0]?.messages[0]).toMatchObject({ role: 'system', content: 'Be brief.' });
  const { summary, items, model, usage } = report('a');
  expect(model).toMatchObject({ kind: 'openai-compatible', id: 'm', params: { temperature: 0, system: 'Be brief.' } });
  expect(summary).toMatchObject({
    total: 4,
    scored: 2,
    coverage: 0.5,
    passed: 1,
    accuracy: 0.5,
    answered: 3,
    errors: 1,
  });
  expect(summary.sections.map(({ section, scored, total }) => [section, scored, total])).toEqual([
    ['facts', 2, 3],
    ['open', 0, 1],
  ]);
  expect(usage).toMatchObject({ inputTokens: expect.any(Number), outputTokens: 6, costUsd: null });
  expect(items.map(({ id, status, grade }) => [id, status, grade?.verdict, grade?.score])).toEqual([
    ['right', 'answered', 'pass', 1],
    ['wrong', 'answered', 'fail', 0],
    ['fails', 'error', 'skipped', null],
    ['open', 'answered', 'skipped', null],
  ]);
  expect(items[2]?.error).toEqual({ code: 'server_error', message: 'The endpoint replied 500: Out of order.' });
  const page = text('a', 'report.html');
  expect(page).toContain('&lt;b&gt;Kyoto&lt;/b&gt;');
  expect(page).not.toContain('<b>Kyoto');
  expect(text('a', 'report.md')).toContain(
    '| fails | error | server\\_error: The endpoint replied 500: Out of order. |',
  );

  const journal = text('a', 'episodes', 'fails', 'trial-1', 'events.jsonl');
  models.reset();
  models.answer('m', ({ prompt }) => ({ text: ANSWERS[prompt] ?? 'Santiago' }));
  const same = [
    '--model',
    'openai-compatible:m',
    '--out',
    'a',
    '--system',
    'Be brief.',
    '--temperature',
    '0',
    '--resume',
  ];
  const again = await run(...same, '--judge-model', 'openai-compatible:judge-scattering');
  expect(again.err).toContain('is resumed: 3 of 4 have an answer');
  expect(again).toMatchObject({ code: 0, out: expect.stringMatching(/^3 of 4 right/) });
  expect(models.calls.map((call) => call.model)).toEqual(['m', 'judge-scattering']);
  expect(text('a', 'episodes', 'fails', 'trial-1', 'events.jsonl')).toBe(journal);
  expect(report('a').items.map(({ attempt, grade }) => [attempt, grade?.verdict, grade?.round])).toEqual([
    [1, 'pass', 1],
    [1, 'fail', 1],
    [2, 'pass', 1],
    [1, 'pass', 2],
  ]);

  const other = await run('--model', 'openai-compatible:other', '--out', 'a', '--resume');
  expect(other.code).toBe(2);
  expect(other.err).toContain('model was openai-compatible:m, and is openai-compatible:other now.');
});

test('the reports are made again from the folder; verify finds a changed grade, and rescore appends the right one', async () => {
  put('items.jsonl', ITEMS.slice(0, 2));
  const { code, out } = await run('--model', 'openai-compatible:m', '--out', 'b', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ format: 'waymark.questions.v1', folder: at('b'), summary: { scored: 2 } });
  const before = text('b', 'report.json');
  writeFileSync(at('b', 'report.json'), '');
  expect(await waymark(['report', 'b'], folder.path)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^1 of 2 right/),
  });
  expect(text('b', 'report.json')).toBe(before);
  const verify = () => waymark(['verify', 'b'], folder.path);
  expect(await verify()).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^Everything is as recorded: 2 of 2 answers, graded again\.\nhashes: 2 of 2 journals chained, \d+ files in the manifest, not signed\nWhat this does not prove:\n/,
    ),
  });

  const grades = at('b', 'episodes', 'wrong', 'trial-1', 'grades.jsonl');
  writeFileSync(
    grades,
    readFileSync(grades, 'utf8').replace('"verdict":"fail","score":0', '"verdict":"pass","score":1'),
  );
  expect(await verify()).toMatchObject({ code: 1, out: expect.stringMatching(/^differs {2}wrong\n/) });
  expect(await waymark(['rescore', 'b'], folder.path)).toMatchObject({
    code: 0,
    out: 'changed:  wrong: pass (exact) is fail (exact) now\n2 of 2 answers graded again, 1 changed\n',
  });
  const rounds = readFileSync(grades, 'utf8').trimEnd().split('\n');
  expect(rounds.map((line) => JSON.parse(line))).toMatchObject([
    { round: 1, verdict: 'pass' },
    { round: 2, verdict: 'fail' },
  ]);
  // The grade that was changed stays in its log, and does not fit the chain.
  expect(await verify()).toMatchObject({
    code: 1,
    out: expect.stringMatching(
      /^1 difference; 2 of 2 .*\n +episodes\/wrong\/trial-1\/grades\.jsonl, chain\n +recorded: line 1: /,
    ),
  });
  expect(report('b').summary).toMatchObject({ passed: 1, scored: 2 });
});

test('after kill -9, what has an answer is not asked again', async () => {
  const prompts = Array.from({ length: 12 }, (_, index) => `Question ${index + 1}?`);
  put(
    'items.jsonl',
    prompts.map((prompt_text, index) => ({ id: `q${index + 1}`, type: 'freeform', prompt_text, answer: 'yes' })),
  );
  const { promise: isHanging, resolve } = Promise.withResolvers<void>();
  models.answer('m', ({ prompt }) => {
    if (prompts.indexOf(prompt) < 5) return { text: 'yes' };
    resolve();
    return { hang: true };
  });
  const args = ['run', 'items.jsonl', '--model', 'openai-compatible:m', '--base-url', models.baseUrl, '--out', 'c'];
  const child = spawn(process.execPath, [MAIN, ...args, '--concurrency', '2'], { cwd: folder.path, stdio: 'ignore' });
  const ended = once(child, 'exit');
  await isHanging;
  child.kill('SIGKILL');
  await ended;
  const answered = prompts.filter((_, index) => isFinished(`q${index + 1}`));
  expect(answered.length).toBeGreaterThanOrEqual(4);
  expect(answered.length).toBeLessThan(prompts.length);

  models.reset();
  models.answer('m', () => ({ text: 'yes' }));
  expect(await waymark([...args, '--resume'], folder.path)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^12 of 12 right/),
  });
  expect(prompts.map(asked)).toEqual(prompts.map((prompt) => (answered.includes(prompt) ? 0 : 1)));
});

function isFinished(id: string): boolean {
  const file = at('c', 'episodes', id, 'trial-1', 'events.jsonl');
  return existsSync(file) && readFileSync(file, 'utf8').includes('"type":"stop"');
}

test('what the provider says about the settings is said once, and stands in every report', async () => {
  models.answer('gpt-5-mini', () => ({ text: 'Paris' }));
  put('items.jsonl', ITEMS.slice(0, 2));
  const named = ['--model', 'openai:gpt-5-mini', '--key-env', 'PATH'];
  const { err } = await run(...named, '--temperature', '0', '--out', 'w');
  const [line, ...more] = err.split('\n').filter((said) => said.startsWith('warning: '));
  expect(more).toEqual([]);
  const message = line?.slice('warning: '.length) ?? '';
  expect(message).toMatch(/^temperature is not supported/);
  expect(report('w').warnings).toEqual([{ message, items: 2 }]);
  expect(report('w').items.map(({ warnings }) => warnings)).toEqual([[message], [message]]);
  for (const name of ['report.md', 'report.html']) expect(text('w', name)).toContain('temperature is not supported');
});

test('a refused key ends the asking: the items that are left are not asked', async () => {
  const { code, err } = await run('--model', 'openai-compatible:always-401', '--concurrency', '1', '--out', 'd');
  expect(code).toBe(1);
  expect(err).toContain('Asking was given up: The endpoint replied 401: Incorrect API key provided.\n');
  expect(models.calls).toHaveLength(3);
  expect(report('d').summary).toMatchObject({ errors: 3, missing: 1, accuracy: null });
});

test('the commands of docs/how-to/ask-a-model.md work, on a model of the test server', async () => {
  const page = readFileSync('docs/how-to/ask-a-model.md', 'utf8');
  writeFileSync(at('questions.jsonl'), /^```jsonl\n(.*?)^```$/ms.exec(page)?.[1] ?? '');
  models.answer('gpt-5-mini', ({ prompt, hasFormat }) => {
    if (hasFormat) return { text: '{"score":1,"reason":"It names scattering."}' };
    const known = [['France', 'Paris'] as const, ['17 + 25', '42'] as const, ['planet', 'B'] as const];
    return { text: known.find(([word]) => prompt.includes(word))?.[1] ?? 'Air scatters blue light.' };
  });
  const lines = [...page.matchAll(/^ {4}waymark (run questions\.jsonl .*)$/gm)].map(([, line = '']) => line.split(' '));
  expect(lines).toHaveLength(2);
  vi.stubEnv('WAYMARK_KEY_DOCS', 'a-key');
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const line of lines) {
    const at = ['--base-url', models.baseUrl, '--key-env', 'WAYMARK_KEY_DOCS'];
    const said = await waymark([...line, ...at], folder.path);
    expect(said, said.err).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^4 of 4 right/),
    });
  }
  expect(models.calls).toHaveLength(5);
});

test('what can not be run is said before anything is asked or written', async () => {
  const said = async (...args: string[]) => {
    const { code: exit, out } = await waymark(['run', ...args, '--out', 'e', '--json'], folder.path);
    expect(exit).toBe(2);
    return (JSON.parse(out) as { error: { code: string; message: string; hint?: string } }).error;
  };
  expect(await said('items.jsonl', '--model', 'openai:gpt-5', '--key-env', 'NO_SUCH_KEY')).toMatchObject({
    code: 'usage_model',
    message: 'The environment variable NO_SUCH_KEY is not set: it holds the key of the openai model. Nothing was run.',
  });
  expect(await said('items.jsonl', '--model', 'gpt-5')).toMatchObject({
    message: '"gpt-5" does not name a kind of model.',
  });
  expect(await said('items.jsonl', '--model', 'openai-compatible:m')).toMatchObject({
    message: 'A model of kind openai-compatible needs the address that it is called at.',
    hint: 'Give it with --base-url.',
  });
  expect(await said('none.jsonl', '--model', 'ollama:m')).toMatchObject({ code: 'usage_no_such_file' });
  expect(await said('items.jsonl', '--model', 'ollama:m', '--sections', 'nothing')).toMatchObject({
    code: 'scope_unsupported',
  });
  expect(await said('items.jsonl', '--model', 'ollama:m', '--trials', '2')).toMatchObject({
    message: '--trials is for a run of tasks, and this is a run of questions (--model).',
  });
  expect(await said('items.jsonl', '--model', 'ollama:m', '--provider', 'X')).toMatchObject({
    message: '--provider is for a run on a Waymark server (--api), and this is a run of questions (--model).',
  });
  expect(await said('items.jsonl', '--model', 'ollama:m', '--temperature', '3')).toMatchObject({
    message: '--temperature takes a number from 0 to 2, but got "3".',
  });
  expect(await said('items.jsonl')).toMatchObject({
    message: 'items.jsonl is a dataset of questions, which are asked of a model. Nothing was run.',
    hint: 'For example: waymark run items.jsonl --model openai:gpt-5-mini',
  });
  put('items.jsonl', [{ id: 'a', type: 'freeform' }]);
  expect(await said('items.jsonl', '--model', 'ollama:m')).toMatchObject({
    code: 'dataset_invalid',
    message: expect.stringContaining('are no questions. Line 1: '),
  });
  expect(models.calls).toEqual([]);
  expect(readdirSync(folder.path)).not.toContain('e');
});
