/** What `--headed` passes to the browser. No display is needed: the browser of this test only writes down its flags, and ends. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CommandSandbox, taskFile } from '../episode/command.ts';

test.each([
  [['--headed'], false],
  [[], true],
])('with %j, a full Chrome is started headless: %s', async (flags, isHeadless) => {
  using sandbox = new CommandSandbox();
  const [browser, file] = [path.join(sandbox.folder, 'chrome'), path.join(sandbox.folder, 'flags')];
  writeFileSync(browser, `#!/bin/sh\necho "$@" > ${file}\nexit 7\n`, { mode: 0o755 });
  const env = { DISPLAY: ':99' };
  const ran = await sandbox.run([taskFile('example-h1'), '--browser', browser, ...flags], { env });
  expect(ran.code, ran.err).toBe(3);
  expect(ran.err).toContain('it ended with exit code 7.');
  const passed = readFileSync(file, 'utf8').split(' ');
  expect(passed).toContain('--remote-debugging-pipe');
  expect(passed.includes('--headless=new')).toBe(isHeadless);
});
