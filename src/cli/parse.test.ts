import { expect, test } from 'vitest';
import type { WaymarkError } from '../errors/index.ts';
import { commands } from './commands.ts';
import { parseFlags } from './parse.ts';

const flags = {
  browser: { type: 'string', value: '<path>', about: '' },
  json: { type: 'boolean', about: '' },
  task: { type: 'string', isList: true, value: '<id,…>', about: '' },
  recover: { type: 'optional', value: '<n>', about: '' },
} as const;
const parse = (...args: string[]) => parseFlags({ name: 'doctor', flags, renamed: { chrome: 'browser' } }, args).flags;

test('known flags become values, in both spellings', () => {
  expect(parse('--browser', 'a', '--json')).toEqual({ browser: 'a', json: true });
  expect(parse('--browser=a')).toEqual({ browser: 'a' });
  expect(parse('-h')).toEqual({ help: true });
  expect(parse()).toEqual({});
});

test('a flag that takes a list may be given several times', () => {
  expect(parse('--task', 'a,b', '--json', '--task=c')).toEqual({ task: 'a,b,c', json: true });
});

test('a flag with an optional value takes a number, and leaves anything else to the operands', () => {
  expect(parse('--recover')).toEqual({ recover: true });
  expect(parse('--recover', '12', '--json')).toEqual({ recover: '12', json: true });
  expect(parse('--recover=12')).toEqual({ recover: '12' });
  const operands = { label: '<tasks…>', about: '' };
  expect(parseFlags({ name: 'run', flags, operands }, ['--recover', 'tasks/'])).toMatchObject({
    flags: { recover: true },
    operands: ['tasks/'],
  });
});

test.each(['datasets', 'pack', 'import-capture'])('waymark %s says that --server is --api now', async (name) => {
  const command = await commands[name]?.load();
  expect(() => command && parseFlags(command, ['--server', 'http://127.0.0.1:1'])).toThrow(
    '--server is called --api now.',
  );
});

test.each([
  [['--jsn'], 'usage_unknown_flag', 'waymark doctor has no flag --jsn. Did you mean --json?'],
  [['--browser', 'a', '--browser', 'b'], 'usage_bad_value', '--browser is given twice.'],
  [['--chrome', 'a'], 'usage_unknown_flag', '--chrome is called --browser now.'],
  [['--elephant=1'], 'usage_unknown_flag', 'waymark doctor has no flag --elephant.'],
  [['--constructor'], 'usage_unknown_flag', 'waymark doctor has no flag --constructor.'],
  [['-x'], 'usage_unknown_flag', 'waymark doctor has no flag -x.'],
  [['--browser'], 'usage_missing_value', '--browser needs a value: --browser <path>.'],
  [['--browser='], 'usage_missing_value', '--browser needs a value: --browser <path>.'],
  [['--browser', '--json'], 'usage_missing_value', '--browser needs a value: --browser <path>.'],
  [['--json=yes'], 'usage_needless_value', '--json takes no value, but got "yes".'],
  [['--json', 'x'], 'usage_unexpected_argument', 'waymark doctor takes no argument "x".'],
])('%j is refused', (args, code, message) => {
  let thrown: WaymarkError | undefined;
  try {
    parse(...args);
  } catch (error) {
    thrown = error as WaymarkError;
  }
  expect(thrown?.toJSON()).toEqual({ code, message, hint: 'See: waymark doctor --help' });
});
