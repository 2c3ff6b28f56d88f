import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { plainEnvironment, runProcess } from './run-process.ts';

// The real npm, on a small part of the real lock file. CI runs `npm test` on a clean checkout, which covers all of it.
const root = path.resolve(import.meta.dirname, '../..');
const clone = realpathSync(mkdtempSync(path.join(tmpdir(), 'waymark-clone-')));
afterAll(() => rm(clone, { recursive: true, force: true }));

const Lock = z.looseObject({
  packages: z.record(z.string(), z.looseObject({ dependencies: z.record(z.string(), z.string()).optional() })),
});

/** A project with only these packages, in the same versions and with the same hashes. */
function smallClone(...wanted: string[]): void {
  const lock = Lock.parse(JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')));
  const kept: string[] = [];
  const keep = (name: string): void => {
    const key = `node_modules/${name}`;
    if (kept.includes(key)) return;
    kept.push(key);
    for (const needed of Object.keys(lock.packages[key]?.dependencies ?? {})) keep(needed);
  };
  for (const name of wanted) keep(name);
  const dependencies = Object.fromEntries(
    wanted.map((name) => [name, String(lock.packages[`node_modules/${name}`]?.['version'])]),
  );
  const about = { name: 'clone', version: '1.0.0', dependencies };
  const packages = Object.fromEntries(kept.map((key) => [key, { ...lock.packages[key], dev: undefined }]));
  const put = (name: string, content: object): void =>
    writeFileSync(path.join(clone, name), JSON.stringify(content, undefined, 2));
  put('package.json', { ...about, private: true, allowScripts: { node: true } });
  put('package-lock.json', { ...lock, ...about, packages: { '': about, ...packages } });
  mkdirSync(path.join(clone, 'scripts'));
  for (const file of ['.npmrc', 'scripts/bootstrap.mjs']) copyFileSync(path.join(root, file), path.join(clone, file));
}

test('a fresh clone is prepared, with Node 24, and the second time there is nothing to do', async () => {
  smallClone('node', 'ws');
  // The Node on PATH, as for a user; not the one in this repository's node_modules.
  const own = path.join(root, 'node_modules');
  const PATH = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.startsWith(own))
    .join(path.delimiter);
  const env = plainEnvironment({ PATH });
  const bootstrap = () => runProcess('node', ['scripts/bootstrap.mjs', 'packages'], { cwd: clone, env });

  const first = await bootstrap();
  expect(first).toMatchObject({ code: 0, out: '' });
  expect(first.err).toMatch(/^bootstrap: npm ci \(packages\) …\nbootstrap: npm ci done in [\d.]+ s\n$/m);
  expect(existsSync(path.join(clone, 'node_modules/ws/package.json'))).toBe(true);
  const brought = await runProcess(path.join(clone, 'node_modules/.bin/node'), ['--version'], { cwd: clone, env });
  expect(brought.out).toMatch(/^v24\./);

  expect(await bootstrap()).toEqual({ code: 0, out: '', err: '' });
});
