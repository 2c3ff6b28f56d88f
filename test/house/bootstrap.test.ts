import { copyFileSync, existsSync, lstatSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { plainEnvironment, runProcess } from './run-process.ts';

const root = path.resolve(import.meta.dirname, '../..');
const clone = realpathSync(mkdtempSync(path.join(tmpdir(), 'waymark-clone-')));
// Twenty thousand files: on a busy disk that takes its time.
afterAll(() => rm(clone, { recursive: true, force: true }), 240_000);

/** What a clone of the working folder as it is now would hold. */
async function cloneWorkingFolder(): Promise<void> {
  const { out } = await runProcess('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  for (const file of new Set(out.split('\0'))) {
    const from = path.join(root, file);
    if (!file || !existsSync(from) || !lstatSync(from).isFile()) continue;
    mkdirSync(path.dirname(path.join(clone, file)), { recursive: true });
    copyFileSync(from, path.join(clone, file));
  }
}

test('a fresh clone comes up by itself, and the second time there is nothing to do', { timeout: 240_000 }, async () => {
  await cloneWorkingFolder();
  expect(existsSync(path.join(clone, 'node_modules'))).toBe(false);
  // Whatever Node is on PATH, as a person would have it; not the one of this repository's node_modules.
  const own = path.join(root, 'node_modules');
  const PATH = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.startsWith(own))
    .join(path.delimiter);
  const env = plainEnvironment({ PATH });

  const first = await runProcess('npm', ['run', 'bootstrap', '--silent'], { cwd: clone, env });
  expect(first).toMatchObject({ code: 0, out: '' });
  expect(first.err).toMatch(
    /^bootstrap: npm ci \(packages\) …\nbootstrap: npm ci done in [\d.]+ s\nbootstrap: npm ci in servers\/ \(tool servers\) …\nbootstrap: npm ci in servers\/ done in [\d.]+ s\n/m,
  );
  expect(existsSync(path.join(clone, 'servers/node_modules/@playwright/mcp/package.json'))).toBe(true);

  expect(await runProcess('npm', ['run', 'bootstrap', '--silent'], { cwd: clone, env })).toMatchObject({
    code: 0,
    out: '',
  });
  const again = await runProcess('node', ['scripts/bootstrap.mjs'], { cwd: clone, env });
  expect(again).toEqual({ code: 0, out: '', err: '' });

  const waymark = await runProcess('npm', ['run', '--silent', 'waymark', '--', 'doctor', '--json'], {
    cwd: clone,
    env,
  });
  expect(waymark.code).toBe(0);
  expect(JSON.parse(waymark.out)).toMatchObject({ ok: true, version: expect.any(String) });
});
