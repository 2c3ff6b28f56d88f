import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readDefaults } from './config.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'waymark-config-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

function write(name: string, text: string): void {
  mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true });
  writeFileSync(path.join(cwd, name), text);
}

const suite = (more: object): string => JSON.stringify({ format: 'waymark.suite.v1', ...more });

describe('waymark.config.ts', () => {
  test('gives defaults for flags by their names, and tasks where the command names none', async () => {
    write(
      'waymark.config.ts',
      `const trials: number = 3;
       export default { tasks: ['tasks/'], trials, failFast: true, noScreenshots: false, recover: true, tag: ['a', 'b'],
         variant: './variants/fast.json', maxDurationMs: 5000, reporter: ['list', 'junit=out.xml'] };`,
    );
    const flags = {
      trials: '3',
      'fail-fast': true,
      recover: true,
      tag: 'a,b',
      variant: path.join(cwd, 'variants/fast.json'),
      'max-duration-ms': '5000',
      reporter: 'list,junit=out.xml',
    };
    expect(await readDefaults(undefined, [], cwd)).toEqual({ flags, operands: [path.join(cwd, 'tasks')] });
    expect(await readDefaults(undefined, ['other/'], cwd)).toEqual({ flags, operands: ['other/'] });
  });

  test('is not needed; a file that is named must be there', async () => {
    expect(await readDefaults(undefined, ['tasks/'], cwd)).toEqual({ flags: {}, operands: ['tasks/'] });
    await expect(readDefaults('mine.ts', [], cwd)).rejects.toMatchObject({ code: 'usage_bad_config' });
  });

  test.each([
    ['{ trails: 3 }', '"trails" can\'t be set here. Did you mean "trials"?'],
    ['{ resume: true }', '"resume" can\'t be set here.'],
    ["{ 'max-steps': 3 }", '"max-steps" can\'t be set here. Did you mean "maxSteps"?'],
    ["{ tasks: 'tasks/' }", '"tasks" must be a list of paths.'],
    ['{ trials: [3] }', '"trials" has no usable value ([3]).'],
    ["{ failFast: 'yes' }", '"failFast" has no usable value ("yes").'],
    ['{ trials: Number.NaN }', '"trials" has no usable value (null).'],
    ['[]', 'does not give an object.'],
    ['undefined', 'does not give an object.'],
  ])('%s is refused', async (value, message) => {
    write('bad.config.mjs', `export default ${value};`);
    await expect(readDefaults('bad.config.mjs', [], cwd)).rejects.toMatchObject({
      code: 'usage_bad_config',
      message: expect.stringContaining(message),
    });
  });

  test('that can’t be loaded is refused with the reason', async () => {
    write('waymark.config.mjs', 'throw new Error("no key");');
    await expect(readDefaults(undefined, [], cwd)).rejects.toThrow("waymark.config.mjs can't be loaded: no key");
  });
});

describe('a suite file', () => {
  test('names tasks relative to itself and stands above the configuration', async () => {
    write('waymark.config.mjs', "export default { trials: 3, server: 'playwright', tasks: ['elsewhere/'] };");
    write(
      'suites/smoke.suite.json',
      suite({ about: 'quick', tasks: ['../tasks/', 'one.json'], trials: 1, tag: ['smoke'] }),
    );
    expect(await readDefaults(undefined, ['suites/smoke.suite.json'], cwd)).toEqual({
      flags: { trials: '1', server: 'playwright', tag: 'smoke' },
      operands: [path.join(cwd, 'tasks'), path.join(cwd, 'suites/one.json')],
    });
  });

  test.each([
    ['[1]', 'is not a suite: its "format" is not "waymark.suite.v1".'],
    ['null', 'is not a suite'],
    ['{', "can't be read"],
    [suite({}), 'names no tasks.'],
    [suite({ tasks: [''] }), '"tasks" must be a list of paths.'],
    [suite({ tasks: ['a'], format2: 1 }), '"format2" can\'t be set here.'],
    ['\ud800', "can't be read"],
  ])('%s is refused', async (text, message) => {
    write('x.suite.json', text);
    await expect(readDefaults(undefined, ['x.suite.json'], cwd)).rejects.toThrow(message);
  });

  test('stands alone', async () => {
    write('x.suite.json', suite({ tasks: ['a'] }));
    for (const operands of [
      ['x.suite.json', 'b'],
      ['b', 'x.suite.json'],
    ])
      await expect(readDefaults(undefined, operands, cwd)).rejects.toThrow('can’t be combined with other operands');
  });
});
