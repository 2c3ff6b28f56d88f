/** Graders in files, run in processes of their own: what they are given, and that nothing that they do harms more than their own grade. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ModuleSpec } from '../../src/cases/schemas.ts';
import {
  type Grader,
  type GraderContext,
  gradeAttempt,
  type Judge,
  JudgeProblem,
  makeGrader,
} from '../../src/graders/index.ts';
import { moduleGrader } from '../../src/graders/module/module-grader.ts';
import { attemptOf, graded } from '../support/graded.ts';
import { until } from '../support/lab.ts';
import { answered, called, madeJournal, stopped } from '../support/made-journal.ts';
import { unusual } from '../support/usual-variables.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-module-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ATTEMPT = attemptOf(madeJournal([called('c1', 1), answered('c1'), stopped()]), {
  answer: 'Tea',
  oracleSteps: 3,
  artifact: async (key) => (key === 'screenshots/001.jpg' ? new Uint8Array([1, 2, 3]) : undefined),
});

let files = 0;
/** Writes a module; the text is that of the function `grade(attempt, context)`, or the whole file. */
function write(text: string, extension = 'ts'): string {
  const file = `grader-${++files}.${extension}`;
  const isWhole = /\bexport\b|module\.exports/.test(text);
  const body = `export default { name: 'mine', version: '7', async grade(attempt, context) { ${text} } };`;
  writeFileSync(path.join(folder, file), isWhole ? text : body);
  return file;
}

const make = (text: string, more: Partial<ModuleSpec> = {}): Promise<Grader> =>
  makeGrader({ grader: 'module', file: write(text), ...more }, { folder });
const run = (text: string, more: Partial<ModuleSpec> = {}, context: Partial<GraderContext> = {}) =>
  graded({ grader: 'module', file: write(text), ...more }, ATTEMPT, { folder, ...context });
const give = (grader: Grader) =>
  gradeAttempt(grader, ATTEMPT, { signal: new AbortController().signal, judge: undefined, keep: () => {} });

/** Processes that run a grader of this test's folder, or that one. */
function running(file = ''): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${folder}${path.sep}${file}`);
    } catch {
      return false;
    }
  });
}

describe('a verdict', () => {
  test.each([
    [
      'pass',
      `return { verdict: 'pass', reasoning: 'It is tea.' }`,
      { verdict: 'pass', score: 1, reasoning: 'It is tea.' },
    ],
    [
      'fail',
      `return { verdict: 'fail', score: 0.2, reasoning: '', details: { a: [1] } }`,
      { verdict: 'fail', score: 0.2, details: { a: [1] } },
    ],
    ['error', `return { verdict: 'error', reasoning: 'No scale.' }`, { verdict: 'error', score: null }],
    ['skipped', `return { verdict: 'skipped', reasoning: 'Not tea.' }`, { verdict: 'skipped', score: null }],
  ])('%s', async (_, text, expected) => {
    expect(await run(text)).toMatchObject({ grader: 'mine', version: '7', ...expected });
  });

  test('comes from TypeScript, from modules that it imports, and from JavaScript', async () => {
    writeFileSync(path.join(folder, 'weigh.ts'), 'export const weigh = (what: string): number => what.length;');
    const typed = `import { weigh } from './weigh.ts';
      interface Said { verdict: 'pass' | 'fail'; reasoning: string }
      export default { name: 'typed', version: '1', grade: ({ answer }: { answer: string }): Said => ({ verdict: 'pass', reasoning: String(weigh(answer)) }) };`;
    expect(await run(typed)).toMatchObject({ grader: 'typed', verdict: 'pass', reasoning: '3' });
    const plain = write(
      `module.exports = { name: 'plain', version: '1', grade: () => ({ verdict: 'pass', reasoning: '' }) };`,
      'cjs',
    );
    expect(await graded({ grader: 'module', file: plain }, ATTEMPT, { folder })).toMatchObject({
      grader: 'plain',
      verdict: 'pass',
    });
  });

  test('is kept under the name of the spec, where it has one', async () => {
    expect(await run(`return { verdict: 'pass', reasoning: '' }`, { name: 'theirs' })).toMatchObject({
      grader: 'theirs',
      version: '7',
    });
  });
});

describe('what it gets', () => {
  test('is the attempt as data, its files, and the config as it is', async () => {
    const text = `const { ref, subject, answer, events, oracleSteps } = attempt;
      const picture = [...(await attempt.artifact('screenshots/001.jpg'))];
      const none = await attempt.artifact('no-such-file');
      const details = { ref, kind: subject.kind, answer, types: events.map(({ type }) => type), oracleSteps, picture, none: none === undefined, config: context.config, judge: context.judge === undefined };
      return { verdict: 'pass', reasoning: '', details };`;
    const { details } = await run(text, { config: { grams: [7, null] } });
    expect(details).toEqual({
      ref: ATTEMPT.ref,
      kind: 'task',
      answer: 'Tea',
      types: ['start', 'tool_call', 'tool_result', 'stop'],
      oracleSteps: 3,
      picture: [1, 2, 3],
      none: true,
      config: { grams: [7, null] },
      judge: true,
    });
  });

  test('is a judge whose calls are the harness’s, and whose problems are no failure', async () => {
    const asked: unknown[] = [];
    const judge: Judge = {
      model: 'test:judge',
      ask: async (request) => {
        asked.push(request);
        if (request.instructions === 'fail') throw new JudgeProblem('The calls are used up.');
        return 'Yes.';
      },
    };
    const question = `{ instructions: 'Is it tea?', parts: ['Tea', { key: 'a.jpg', data: new Uint8Array([5]), mediaType: 'image/jpeg' }], maxOutputTokens: 9 }`;
    const text = `const said = await context.judge.ask(${question}, context.signal);
      return { verdict: 'pass', reasoning: context.judge.model + ': ' + said };`;
    expect(await run(text, {}, { judge })).toMatchObject({ verdict: 'pass', reasoning: 'test:judge: Yes.' });
    expect(asked).toEqual([
      {
        instructions: 'Is it tea?',
        parts: ['Tea', { key: 'a.jpg', data: new Uint8Array([5]), mediaType: 'image/jpeg' }],
        maxOutputTokens: 9,
      },
    ]);
    const failing = `await context.judge.ask({ instructions: 'fail', parts: [] }, context.signal);`;
    expect(await run(failing, {}, { judge })).toMatchObject({
      verdict: 'error',
      reasoning: expect.stringContaining('The calls are used up.'),
    });
    const wrong = `await context.judge.ask({ instructions: 7 }, context.signal);`;
    expect(await run(wrong, {}, { judge })).toMatchObject({ verdict: 'error' });
  });

  test('is a place for files; what it prints is kept too, and reaches no output of the harness', async () => {
    const text = `console.log('weighing', 7); console.error('a scale creaks');
      context.keep('scale.txt', 'seven'); context.keep('raw.bin', new Uint8Array([104, 105]));
      return { verdict: 'pass', reasoning: '' };`;
    expect((await run(text)).kept).toEqual({
      'scale.txt': 'seven',
      'raw.bin': 'hi',
      'output.txt': 'weighing 7\na scale creaks\n',
    });
  });

  test('has no key of the environment', async () => {
    process.env['SOME_PROVIDER_KEY'] = 'sk-1';
    const { reasoning } = await run(`return { verdict: 'pass', reasoning: Object.keys(process.env).sort().join(' ') }`);
    delete process.env['SOME_PROVIDER_KEY'];
    expect(unusual((reasoning ?? '').split(' '))).toEqual([]);
  });

  test('says that it needs a model, and is skipped without one', async () => {
    const text = `export default { name: 'asks', version: '1', needsModel: true, grade: () => { throw new Error('never'); } };`;
    expect(await run(text)).toMatchObject({ grader: 'asks', verdict: 'skipped' });
  });
});

describe('what is no verdict is an error, and never the agent’s failure', () => {
  test.each<[string, string, string | RegExp]>([
    ['an exception', `throw new Error('no scale')`, 'The grader failed: no scale'],
    ['something thrown that is no error', `throw 'x'`, 'The grader failed: x'],
    ['nothing', ``, /^The grader returned something other than a verdict/],
    ['garbage', `return 'pass'`, /^The grader returned something other than a verdict/],
    [
      'what can’t be sent',
      `return { verdict: 'pass', reasoning: '', details: { f() {} } }`,
      /^The grader failed: .*could not be cloned/s,
    ],
    [
      'what is no JSON',
      `return { verdict: 'pass', reasoning: '', details: { a: new Map() } }`,
      /^The grader returned something other/,
    ],
    ['an end of its process', `process.exit(0)`, 'The grader failed: its process exited with code 0'],
    [
      'an error that nothing catches',
      `setTimeout(() => { throw new Error('late') }); await new Promise(() => {})`,
      'The grader failed: late',
    ],
    [
      'a rejection that nothing catches',
      `void Promise.reject(new Error('lost')); await new Promise(() => {})`,
      'The grader failed: lost',
    ],
    [
      'a message that is none',
      `process.send('hello'); await new Promise(() => {})`,
      'The grader failed: its process sent a message that is none of a grader',
    ],
    [
      'a signal',
      `process.kill(process.pid, 'SIGKILL'); await new Promise(() => {})`,
      'The grader failed: its process was ended by SIGKILL',
    ],
    [
      'files without end',
      `for (;;) { context.keep('x', 'y'.repeat(1e6)); await new Promise((next) => setTimeout(next)); }`,
      'The grader failed: its process was ended, because it keeps more than 20 MB of files',
    ],
  ])('%s', async (_, text, reasoning) => {
    const grade = await run(text);
    expect(grade).toMatchObject({ verdict: 'error', score: null });
    if (typeof reasoning === 'string') expect(grade.reasoning).toBe(reasoning);
    else expect(grade.reasoning).toMatch(reasoning);
  });

  test.each([
    ['an endless loop', `for (;;);`],
    ['a promise that never settles', `await new Promise(() => {})`],
  ])('%s ends in time, and the next attempt is graded', async (_, text) => {
    const grader = await make(`if (attempt.answer === 'Tea') { ${text} } return { verdict: 'pass', reasoning: '' }`, {
      timeoutMs: 2_000,
    });
    expect(await give(grader)).toMatchObject({
      verdict: 'error',
      reasoning: 'The grader gave no verdict within 2000 ms.',
    });
    const other = { ...ATTEMPT, answer: 'Coffee' };
    const context = { signal: new AbortController().signal, judge: undefined, keep: () => {} };
    expect(await gradeAttempt({ ...grader, timeoutMs: 20_000 }, other, context)).toMatchObject({ verdict: 'pass' });
    await until(() => running().length === 0, 'no process is left', 20_000);
  });

  test('memory that is used up ends the grade, and not the harness', async () => {
    const objects = await run(`const all = []; for (;;) all.push(new Array(1e6).fill(all.length));`);
    expect(objects).toMatchObject({
      verdict: 'error',
      reasoning: 'The grader failed: its process used more than 512 MB of memory',
    });
    const buffers = await run(
      `const all = []; for (;;) { all.push(Buffer.alloc(1e7, 1)); await new Promise((next) => setTimeout(next, 2)); }`,
    );
    expect(buffers).toMatchObject({
      verdict: 'error',
      reasoning: 'The grader failed: its process was ended, because it used more than 1024 MB of memory',
    });
  }, 120_000);

  test('there is no grade where the work is stopped', async () => {
    const stop = new AbortController();
    const grader = await make(`await new Promise(() => {})`);
    const grade = gradeAttempt(grader, ATTEMPT, { signal: stop.signal, judge: undefined, keep: () => {} });
    stop.abort(new Error('stopped by the user'));
    await expect(grade).rejects.toThrow('stopped by the user');
    await until(() => running().length === 0, 'no process is left', 20_000);
  });
});

describe('its processes', () => {
  const counting = `globalThis.count = (globalThis.count ?? 0) + 1;
    return { verdict: 'pass', reasoning: process.pid + ' ' + globalThis.count };`;

  test('are used again one grade after the other, and end when nothing is left to grade', async () => {
    const grader = await make(counting);
    const said = [await give(grader), await give(grader)].map(({ reasoning }) => reasoning);
    const [pid] = String(said[0]).split(' ');
    expect(said).toEqual([`${pid} 1`, `${pid} 2`]);
    await until(() => running().length === 0, 'the idle process has ended', 20_000);
    expect((await give(grader)).reasoning).toMatch(/ 1$/);
  });

  test('are several where attempts are graded at the same time', async () => {
    const grader = await make(counting);
    const said = await Promise.all([give(grader), give(grader)]);
    expect(said.map(({ reasoning }) => reasoning)).toEqual([
      expect.stringMatching(/ 1$/),
      expect.stringMatching(/ 1$/),
    ]);
  });

  test('that end by what an earlier grade left behind are replaced, and the attempt is graded', async () => {
    const text = `globalThis.count = (globalThis.count ?? 0) + 1;
      if (globalThis.count > 1) process.exit(1);
      return { verdict: 'pass', reasoning: '' };`;
    const grader = await make(text);
    for (let times = 0; times < 3; times++) expect(await give(grader)).toMatchObject({ verdict: 'pass' });
  });

  test('do not keep the harness from ending, and end with it', async () => {
    const file = write(counting);
    const script = `
      import { readFileSync } from 'node:fs';
      import { makeGrader } from ${JSON.stringify(path.resolve(import.meta.dirname, '../../src/graders/index.ts'))};
      const grader = await makeGrader({ grader: 'module', file: ${JSON.stringify(file)} }, { folder: ${JSON.stringify(folder)} });
      const children = () => readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').trim().split(' ').filter(Boolean).length;
      process.once('beforeExit', () => console.log('nothing is left to do, and', children(), 'process is idle'));
      console.log(grader.name);`;
    writeFileSync(path.join(folder, 'harness.ts'), script);
    const harness = spawn(process.execPath, [path.join(folder, 'harness.ts')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    harness.stdout.on('data', (chunk: Buffer) => (out += chunk));
    const [code] = await once(harness, 'close');
    expect({ code, out }).toEqual({ code: 0, out: 'mine\nnothing is left to do, and 1 process is idle\n' });
    await until(() => running(file).length === 0, 'its process has ended');
  }, 60_000);
});

describe('at load', () => {
  const refused = (text: string, more?: Partial<ModuleSpec>) =>
    make(text, more).then(
      () => 'accepted',
      ({ code, message }: { code: string; message: string }) =>
        `${code}: ${message.replaceAll(/grader-\d+/g, 'grader')}`,
    );

  test.each<[string, string, string | RegExp]>([
    ['an error of syntax', `export default {`, /^usage_bad_grader: The grader grader\.ts can't be loaded: /],
    [
      'what it throws',
      `throw new Error('no scale'); export {}`,
      `usage_bad_grader: The grader grader.ts can't be loaded: no scale`,
    ],
    [
      'what it imports',
      `import './not-there.ts'; export {}`,
      /^usage_bad_grader: The grader grader\.ts can't be loaded: Cannot find module/,
    ],
    ['TypeScript that needs a compiler', `enum A { B } export default A`, /^usage_bad_grader: .*strip-only mode/s],
    [
      'an end',
      `process.exit(3); export {}`,
      `usage_bad_grader: The grader grader.ts can't be loaded: its process exited with code 3`,
    ],
    [
      'no export',
      `export const grader = 1`,
      /^usage_bad_grader: grader\.ts does not export a grader: an object with a name, a version and a function grade/,
    ],
    ['no function', `export default { name: 'a', version: '1' }`, /does not export a grader/],
    [
      'no version',
      `export default { name: 'a', grade() {} }`,
      /^usage_bad_grader: The grader grader\.ts can't be used: version: /,
    ],
    [
      'a name that can’t be one',
      `export default { name: '../a', version: '1', grade() {} }`,
      /^usage_bad_grader: The grader grader\.ts can't be used: name: must be lower-case/,
    ],
    [
      'a name that a checker has',
      `export default { name: 'exact', version: '1', grade() {} }`,
      /^usage_bad_grader: The grader grader\.ts has the name "exact", under which a question's own checker/,
    ],
  ])('%s is refused with a sentence', async (_, text, expected) => {
    const said = await refused(text);
    if (typeof expected === 'string') expect(said).toBe(expected);
    else expect(said).toMatch(expected);
  });

  test('a file that is not there is refused', async () => {
    await expect(makeGrader({ grader: 'module', file: './not-there.ts' }, { folder })).rejects.toMatchObject({
      code: 'usage_bad_grader',
      message: `The grader ./not-there.ts is not there: ${path.join(folder, 'not-there.ts')} does not exist.`,
    });
  });

  test('a module that never ends loading is given up', async () => {
    for (const text of ['for (;;); export {}', 'setInterval(() => {}, 1000); await new Promise(() => {}); export {}']) {
      const file = write(text);
      await expect(moduleGrader({ grader: 'module', file }, { folder }, { loadMs: 1_000 })).rejects.toMatchObject({
        code: 'usage_bad_grader',
        message: `The grader ${file} can't be loaded: it was not loaded within 1000 ms`,
      });
    }
    await until(() => running().length === 0, 'no process is left', 20_000);
  });
});
