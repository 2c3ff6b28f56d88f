/** Grading programs, run for real: what they read, what they may print, and that nothing of them is left. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandInput, commandInput } from '../../src/graders/command/command-input.ts';
import { makeGrader } from '../../src/graders/index.ts';
import { attemptOf, type Graded, graded } from '../support/graded.ts';
import { until } from '../support/lab.ts';
import { answered, called, madeJournal, pictured, stopped } from '../support/made-journal.ts';
import { unusual } from '../support/usual-variables.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-command-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ATTEMPT = attemptOf(
  madeJournal([called('c1', 1), answered('c1'), pictured('c1', 1), stopped({ status: 'passed' })]),
  {
    answer: 'Tea “A”',
    oracleSteps: 3,
    artifact: async (key) => (key === 'screenshots/001.jpg' ? new Uint8Array([1, 2, 3]) : undefined),
  },
);

/** Runs the text as a program: `sh` or `node`. */
function run(
  kind: 'sh' | 'node',
  text: string,
  more: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<Graded> {
  const { signal, ...limits } = more;
  const file = path.join(folder, `grade-${kind}`);
  writeFileSync(file, text);
  const program = kind === 'sh' ? '/bin/sh' : process.execPath;
  const spec = { grader: 'command' as const, name: 'mine', command: [program, file], timeoutMs: 20_000, ...limits };
  return graded(spec, ATTEMPT, { folder, ...(signal ? { signal } : {}) });
}

/** Processes whose command line has the word: it is unique to the test. */
function withWord(word: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
    } catch {
      return false;
    }
  });
}

describe('a verdict', () => {
  test.each([
    ['pass', '{"verdict":"pass","reasoning":"It is tea."}', { verdict: 'pass', score: 1, reasoning: 'It is tea.' }],
    ['fail', '{"verdict":"fail","score":0.25,"reasoning":"Late."}', { verdict: 'fail', score: 0.25 }],
    ['error', '{"verdict":"error","reasoning":"No scale."}', { verdict: 'error', score: null }],
    ['skipped', '{"verdict":"skipped","reasoning":"Not tea."}', { verdict: 'skipped', score: null }],
    ['with details', '{"verdict":"pass","reasoning":"","details":{"grams":[7]}}', { details: { grams: [7] } }],
    ['over lines', '\n{\n"verdict": "pass",\n"reasoning": "é"}\n\n', { verdict: 'pass', reasoning: 'é' }],
  ])('%s', async (_, said, expected) => {
    const grade = await run('sh', `cat > /dev/null\ncat <<'END'\n${said}\nEND\n`);
    expect(grade).toMatchObject({ grader: 'mine', ...expected });
    expect(grade.kept).toEqual({});
  });

  test('does not change with what is said on stderr, which is kept', async () => {
    const grade = await run('sh', 'echo "weighing…" >&2; echo \'{"verdict":"pass","reasoning":"ok"}\'');
    expect(grade).toMatchObject({ verdict: 'pass', kept: { 'stderr.txt': 'weighing…\n' } });
  });

  test('has a version that changes with the program', async () => {
    const first = await run('sh', 'echo \'{"verdict":"pass","reasoning":"ok"}\'');
    const same = await run('sh', 'echo \'{"verdict":"pass","reasoning":"ok"}\'');
    const other = await run('sh', 'echo \'{"verdict":"fail","reasoning":"ok"}\'');
    expect(first.version).toBe(same.version);
    expect(first.version).not.toBe(other.version);
  });
});

describe('what it gets', () => {
  test('is one object about the attempt, and files that go away', async () => {
    const program = `
      const fs = require('node:fs');
      const input = JSON.parse(fs.readFileSync(0, 'utf8'));
      const files = Object.fromEntries(input.artifacts.map((key) => [key, fs.readFileSync(input.folder + '/' + key).length > 0]));
      const [first] = fs.readFileSync(input.folder + '/events.jsonl', 'utf8').split('\\n').map((line) => line && JSON.parse(line));
      console.log(JSON.stringify({ verdict: 'pass', reasoning: 'read', details: { input, files, first: first.type } }));`;
    const { details, reasoning } = await run('node', program);
    expect(reasoning).toBe('read');
    const { input, ...rest } = details as { input: Record<string, unknown> };
    expect(rest).toEqual({
      files: { 'events.jsonl': true, 'messages.jsonl': true, 'screenshots/001.jpg': true },
      first: 'start',
    });
    expect(input).toEqual({
      version: 1,
      grader: 'mine',
      attempt: ATTEMPT.ref,
      case: JSON.parse(JSON.stringify(ATTEMPT.subject)),
      answer: 'Tea “A”',
      outcome: { status: 'passed', reason: 'The agent is done, and the contract does not pass.' },
      oracleSteps: 3,
      folder: expect.any(String),
      artifacts: ['events.jsonl', 'messages.jsonl', 'screenshots/001.jpg'],
    });
    expect(() => readdirSync(String(input['folder']))).toThrow('ENOENT');
  });

  test('is what docs/reference/graders.md shows', () => {
    const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/reference/graders.md'), 'utf8');
    const shown: CommandInput[] = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map(([, text = '']) =>
      JSON.parse(text),
    );
    const input = commandInput(ATTEMPT, { grader: 'mine', folder: '/f', artifacts: [] });
    const example = shown.find(({ version }) => version === input.version);
    expect(Object.keys(example ?? {})).toEqual(Object.keys(input));
    expect(Object.keys(example?.attempt ?? {})).toEqual(Object.keys(input.attempt));
  });

  test('is a clean environment without keys, the task’s folder, and no terminal', async () => {
    process.env['SOME_PROVIDER_KEY'] = 'sk-1';
    const program = `
      const fs = require('node:fs');
      let terminal = true;
      try { fs.closeSync(fs.openSync('/dev/tty')); } catch { terminal = false; }
      const details = { names: Object.keys(process.env).sort(), cwd: process.cwd(), terminal };
      console.log(JSON.stringify({ verdict: 'pass', reasoning: '', details }));`;
    const { details } = await run('node', program);
    delete process.env['SOME_PROVIDER_KEY'];
    const { names, ...rest } = details as { names: string[] };
    expect(unusual(names)).toEqual([]);
    expect(rest).toEqual({ cwd: folder, terminal: false });
  });

  test('need not be read: stdin may be closed early', async () => {
    const big = attemptOf(madeJournal([stopped()]), { answer: 'x'.repeat(5_000_000) });
    const spec = {
      grader: 'command' as const,
      command: ['/bin/sh', '-c', 'exec <&-; echo \'{"verdict":"pass","reasoning":"ok"}\''],
    };
    expect(await graded(spec, big, { folder })).toMatchObject({ verdict: 'pass' });
  });
});

describe('what is no verdict is an error, and never the agent’s failure', () => {
  test.each([
    ['a crash', 'echo "no scale" >&2; echo more >&2; exit 3', 'The program exited with code 3: no scale'],
    ['a silent crash', 'exit 1', 'The program exited with code 1.'],
    [
      'a verdict and then a crash',
      'echo \'{"verdict":"pass","reasoning":""}\'; exit 1',
      'The program exited with code 1.',
    ],
    ['a signal', 'kill -SEGV $$', 'The program was ended by SIGSEGV.'],
    ['silence', ':', 'The program printed nothing to stdout; one JSON object is wanted.'],
    ['garbage', 'echo pass', 'The program printed something other than one JSON object: pass'],
    ['a list', 'echo []', 'The program printed something other than one JSON object: []'],
    [
      'two objects',
      'echo \'{"verdict":"pass"}\'; echo \'{}\'',
      /^The program printed something other than one JSON object: /,
    ],
    [
      'another verdict',
      'echo \'{"verdict":"maybe","reasoning":""}\'',
      /^The grader returned something other than a verdict: verdict: /,
    ],
    ['no reason', 'echo \'{"verdict":"pass"}\'', /^The grader returned something other than a verdict: reasoning: /],
    [
      'a score out of range',
      'echo \'{"verdict":"pass","reasoning":"","score":7}\'',
      /^The grader returned something other than a verdict: score: /,
    ],
  ])('%s', async (_, text, reasoning) => {
    const grade = await run('sh', text);
    expect(grade).toMatchObject({ verdict: 'error', score: null });
    if (typeof reasoning === 'string') expect(grade.reasoning).toBe(reasoning);
    else expect(grade.reasoning).toMatch(reasoning);
  });

  test('100 MB are read in bounded memory, and the program is ended', async () => {
    const grade = await run(
      'node',
      `const b = Buffer.alloc(1e6, 97); for (let i = 0; i < 100; i++) require('fs').writeSync(1, b);`,
    );
    expect(grade).toMatchObject({
      verdict: 'error',
      reasoning: 'The program printed more than 1 MB to stdout, and was ended.',
    });
  });

  test('100 MB on stderr are kept in part, and the verdict counts', async () => {
    const program = `
      const b = Buffer.from(('a'.repeat(99) + '\\n').repeat(10_000));
      for (let i = 0; i < 100; i++) require('fs').writeSync(2, b);
      console.log('{"verdict":"pass","reasoning":""}');`;
    const { verdict, kept } = await run('node', program);
    expect(verdict).toBe('pass');
    expect(kept['stderr.txt']).toContain('characters are not kept');
    expect(kept['stderr.txt']?.length).toBeLessThan(600_000);
  });
});

describe('a program that does not end', () => {
  test('is ended in time with its children, also where they ignore SIGTERM or left its group', async () => {
    const word = `waymark-hang-${process.pid}`;
    const sleeper = `trap '' TERM; while :; do sleep 0.2; done # ${word}`;
    const text = `trap '' TERM
      /bin/sh -c "${sleeper.replaceAll('$', '\\$')}" &
      setsid /bin/sh -c "${sleeper}" &
      echo '{"verdict":"pass","reasoning":"too early"}'
      while :; do sleep 0.2; done # ${word}`;
    const grade = await run('sh', text, { timeoutMs: 600 });
    expect(grade).toMatchObject({
      verdict: 'error',
      reasoning: 'The program ran longer than 600 ms, and was ended.',
    });
    expect(withWord(word)).toEqual([]);
  });

  test('leaves no child behind where it ends itself', async () => {
    const word = `waymark-left-${process.pid}`;
    const text = `/bin/sh -c "sleep 60; : ${word}" &
      echo '{"verdict":"pass","reasoning":"ok"}'`;
    expect(await run('sh', text)).toMatchObject({ verdict: 'pass' });
    expect(withWord(word)).toEqual([]);
  });

  test('is ended when the work is stopped: then there is no grade', async () => {
    const word = `waymark-stop-${process.pid}`;
    const stop = new AbortController();
    const grade = run('sh', `/bin/sh -c "sleep 60; : ${word}"`, { signal: stop.signal });
    await until(() => withWord(word).length > 0, 'the program runs');
    stop.abort(new Error('stopped by the user'));
    await expect(grade).rejects.toThrow('stopped by the user');
    await until(() => withWord(word).length === 0, 'the program is ended');
  });
});

describe('at load', () => {
  test('a program that is not there, or may not be run, is refused', async () => {
    writeFileSync(path.join(folder, 'not-executable.sh'), 'echo', { mode: 0o644 });
    for (const file of ['./not-there', 'no-such-program-at-all', './not-executable.sh', '.'])
      await expect(makeGrader({ grader: 'command', name: 'mine', command: [file] }, { folder })).rejects.toMatchObject({
        code: 'usage_bad_grader',
        message: `The program "${file}" of the grader "mine" was not found, or may not be run.`,
      });
  });

  test('a script that is not there is refused, and the sentence names where it was looked for', async () => {
    const spec = { grader: 'command' as const, command: ['/bin/sh', './not-there.sh'] };
    await expect(makeGrader(spec, { folder })).rejects.toMatchObject({
      code: 'usage_bad_grader',
      message: `The script "./not-there.sh" of the grader "command" is not there: ${path.join(folder, 'not-there.sh')} does not exist.`,
    });
  });

  test('a relative path is relative to the task’s folder', async () => {
    const text = '#!/bin/sh\necho \'{"verdict":"pass","reasoning":"from here"}\'\n';
    writeFileSync(path.join(folder, 'here.sh'), text, { mode: 0o755 });
    const spec = { grader: 'command' as const, command: ['./here.sh'] };
    expect(await graded(spec, ATTEMPT, { folder })).toMatchObject({ grader: 'command', reasoning: 'from here' });
  });

  test('arguments go to the program as they are: there is no shell', async () => {
    const odd = '$(touch pwned); "a b" * | > x';
    const program = 'console.log(JSON.stringify({ verdict: "pass", reasoning: process.argv[1] }))';
    const spec = { grader: 'command' as const, command: [process.execPath, '-e', program, odd] };
    expect(await graded(spec, ATTEMPT, { folder })).toMatchObject({ verdict: 'pass', reasoning: odd });
    expect(readdirSync(folder)).not.toContain('pwned');
  });
});
