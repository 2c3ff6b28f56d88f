import { expect, test } from 'vitest';
import { WaymarkError } from '../errors/index.ts';
import { defineCommand } from './command.ts';
import { type CommandEntry, commands } from './commands.ts';
import { runCommandLine } from './run.ts';
import { version } from './version.ts';

const greet = defineCommand({
  name: 'greet',
  about: 'says hello.',
  flags: {
    name: { type: 'string', value: '<name>', about: 'whom to greet' },
    json: { type: 'boolean', about: 'JSON' },
  },
  examples: [{ line: 'waymark greet --name Ada', does: 'hello Ada' }],
  async run(flags, terminal) {
    if (flags.name === 'nobody') {
      throw new WaymarkError({
        code: 'browser_lost',
        message: 'Nobody is there.',
        hint: 'Call somebody.',
        cause: new Error('silence'),
      });
    }
    if (flags.name === 'bug') throw new TypeError('x is not a function');
    terminal.out(`hello ${flags.name ?? 'you'}\n`);
    return flags.name === 'stranger' ? 1 : 0;
  },
});
const known: Record<string, CommandEntry> = { greet: { summary: 'says hello', load: async () => greet } };

async function run(...args: string[]) {
  let out = '';
  let err = '';
  const code = await runCommandLine(
    args,
    {
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
      paint: (_, text) => text,
      env: {},
      cwd: '/',
    },
    known,
  );
  return { code, out, err };
}

test('a command gets its flags and gives the exit code', async () => {
  expect(await run('greet', '--name', 'Ada')).toEqual({ code: 0, out: 'hello Ada\n', err: '' });
  expect(await run('greet', '--name', 'stranger')).toEqual({ code: 1, out: 'hello stranger\n', err: '' });
});

test('--version prints the version of package.json and nothing else', async () => {
  expect(version()).toMatch(/^\d+\.\d+\.\d+/);
  expect(await run('--version')).toEqual({ code: 0, out: `${version()}\n`, err: '' });
});

test('--help says what it is, and lists the commands', async () => {
  const { code, out } = await run('--help');
  expect(code).toBe(0);
  expect(out).toContain('an evaluation harness for browser agents');
  expect(out).toContain('  greet  says hello\n');
  expect(await run('help')).toEqual({ code, out, err: '' });
});

test('without a command the help is shown, and it is wrong usage', async () => {
  const { out } = await run('--help');
  expect(await run()).toEqual({ code: 2, out, err: '' });
});

test("a command's help shows its flags and examples, and does not run it", async () => {
  const expected = [
    'waymark greet: says hello.',
    '',
    'Usage  waymark greet [flags]',
    '',
    'Flags',
    '  --name <name>  whom to greet',
    '  --json         JSON',
    '  --verbose      on an error, also print the stack and the causes',
    '  -h, --help     print this help',
    '',
    'Examples',
    '  waymark greet --name Ada  hello Ada',
    '',
  ].join('\n');
  for (const args of [
    ['greet', '--help'],
    ['greet', '-h', '--name', 'nobody'],
    ['help', 'greet'],
  ]) {
    expect(await run(...args)).toEqual({ code: 0, out: expected, err: '' });
  }
});

test('an unknown command is named, with the nearest one', async () => {
  expect(await run('great')).toEqual({
    code: 2,
    out: '',
    err: 'waymark: There is no command "great". Did you mean "greet"?\nSee: waymark --help\n',
  });
  expect(await run('toString')).toEqual({
    code: 2,
    out: '',
    err: 'waymark: There is no command "toString".\nSee: waymark --help\n',
  });
  expect(await run('--json')).toMatchObject({ code: 2, err: '' });
});

test('an error is one paragraph: what happened, what to do, no stack', async () => {
  expect(await run('greet', '--name', 'nobody')).toEqual({
    code: 3,
    out: '',
    err: 'waymark: Nobody is there.\nCall somebody.\n',
  });
});

test('--verbose adds the stack and its causes', async () => {
  const { err } = await run('greet', '--name', 'nobody', '--verbose');
  expect(err).toMatch(/^waymark: Nobody is there\.\nCall somebody\.\n\nWaymarkError: Nobody is there\.\n {4}at /);
  expect(err).toMatch(/\ncaused by: Error: silence\n {4}at /);
});

test('with --json an error is the only output, on stdout', async () => {
  const { code, out, err } = await run('greet', '--name', 'nobody', '--json');
  expect({ code, err }).toEqual({ code: 3, err: '' });
  expect(JSON.parse(out)).toEqual({
    error: { code: 'browser_lost', message: 'Nobody is there.', hint: 'Call somebody.' },
  });
  const usage = await run('greet', '--json', '--nme', 'x');
  expect(usage.code).toBe(2);
  expect(JSON.parse(usage.out).error).toMatchObject({ code: 'usage_unknown_flag' });
});

test('an unexpected error says that it is a bug of waymark', async () => {
  expect(await run('greet', '--name', 'bug')).toEqual({
    code: 3,
    out: '',
    err: [
      'waymark: an unexpected error: x is not a function',
      'This is a bug of waymark. Run it again with --verbose for the details to report.',
      '',
    ].join('\n'),
  });
});

test('every command is called what its entry is called', async () => {
  for (const [name, entry] of Object.entries(commands)) expect((await entry.load()).name).toBe(name);
});
