import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plainEnvironment, runProcess } from './run-process.ts';

// The package as somebody else gets it: built, packed, installed into an empty folder.
const root = path.resolve(import.meta.dirname, '../..');
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'waymark-package-')));
const consumer = path.join(folder, 'consumer');
const installed = path.join(consumer, 'node_modules', 'waymark');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// This test's own Node first: the system's may be older than the package wants.
const env = plainEnvironment({
  PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH'] ?? ''}`,
});
const run = (command: string, args: string[], cwd = consumer) => runProcess(command, args, { cwd, env });
const rooms = Object.keys(
  (JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { exports: object }).exports,
)
  .map((name) => name.slice('./'.length))
  .filter((name) => name !== 'package.json');

beforeAll(async () => {
  mkdirSync(consumer);
  writeFileSync(path.join(consumer, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  // `prepack` builds.
  const packed = await run('npm', ['pack', '--pack-destination', folder], root);
  expect(packed, packed.err).toMatchObject({ code: 0 });
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  const install = ['install', path.join(folder, String(archive)), '--prefer-offline', '--no-audit', '--no-fund'];
  const done = await run('npm', install);
  expect(done, done.err).toMatchObject({ code: 0 });
}, 240_000);

test('it holds what it should, and nothing else', () => {
  const files = globSync('**/*', { cwd: installed, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(installed, path.join(entry.parentPath, entry.name)));
  expect(
    files.filter((file) => !/^(dist|docs|schemas)\/|^(README|CHANGELOG)\.md$|^LICENSE$|^package\.json$/.test(file)),
  ).toEqual([]);
  expect(files.filter((file) => /\.test\.|(?<!\.d)\.ts$/.test(file))).toEqual([]);
  expect(files).toEqual(
    expect.arrayContaining(['README.md', 'LICENSE', 'CHANGELOG.md', 'docs/dependencies.md', 'dist/cli/main.js']),
  );
});

test('the command works', async () => {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
  expect(await run('npx', ['--no-install', 'waymark', '--version'])).toMatchObject({ code: 0, out: `${version}\n` });
  const help = await run('npx', ['--no-install', 'waymark', '--help']);
  expect(help).toMatchObject({ code: 0, out: expect.stringContaining('  doctor  ') });
});

test('doctor starts a browser: the package runs on its own dependencies', async () => {
  const { out, err } = await run('npx', ['--no-install', 'waymark', 'doctor', '--json']);
  expect(err).not.toContain('ERR_MODULE_NOT_FOUND');
  expect(JSON.parse(out)).toMatchObject({ ok: true });
});

test('pack makes a script of a dataset: presets and the in-page runtime are part of the package', async () => {
  const item = { id: 'a', type: 'numeric', section: 's', prompt_text: 'What is 1 + 1?', answer: 2 };
  writeFileSync(path.join(consumer, 'items.jsonl'), `${JSON.stringify(item)}\n`);
  const waymark = (...args: string[]) => run('npx', ['--no-install', 'waymark', ...args, '--json']);
  const { out } = await waymark('datasets', 'import', 'items.jsonl', '--name', 'One');
  const { dataset } = JSON.parse(out) as { dataset: { id: string } };
  const packed = await waymark('pack', dataset.id, '--target', 'gemini', '--script', 'run.js');
  expect(packed, packed.err).toMatchObject({ code: 0 });
  const script = readFileSync(path.join(consumer, 'run.js'), 'utf8');
  expect(script).toMatch(/^void\(__WAYMARK_PACK__=>\{.*"preset_revision":"gemini\.\d{4}-\d\d".*\);\n$/s);
  expect(script.length).toBeGreaterThan(20_000);
}, 60_000);

test.each(rooms)('waymark/%s can be imported', async (room) => {
  const script = `import * as room from 'waymark/${room}'; console.log(Object.keys(room).length > 0);`;
  writeFileSync(path.join(consumer, `${room}.mjs`), script);
  expect(await run('node', [`${room}.mjs`])).toEqual({ code: 0, out: 'true\n', err: '' });
});

test('a room is entered by its door only', async () => {
  writeFileSync(path.join(consumer, 'inside.mjs'), `import 'waymark/dist/contracts/evaluate.js';`);
  expect((await run('node', ['inside.mjs'])).err).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED');
});

/** What a consumer must have: the pure rooms nothing at all, the others what any program for Node has. */
const consumers = [
  { of: ['contracts', 'reward', 'metrics'], lib: ['es2024', 'dom'], types: [] },
  { of: ['episode'], lib: ['esnext', 'dom', 'dom.iterable'], types: ['node'] },
];

test.each(consumers)(
  'the types of $of are found, and need no package that is not installed with it',
  async ({ of, lib, types }) => {
    const lines = of.flatMap((room) => [
      `import * as ${room} from 'waymark/${room}';`,
      `export const all_${room}: (keyof typeof ${room})[] = [];`,
      '// @ts-expect-error: without types, anything could be imported',
      `export { nothingOfThisName as no_${room} } from 'waymark/${room}';`,
    ]);
    writeFileSync(path.join(consumer, 'consumer.ts'), lines.join('\n'));
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2024',
      lib,
      types,
      strict: true,
      noEmit: true,
      skipLibCheck: types.length > 0,
    };
    writeFileSync(path.join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
    const tsc = path.join(root, 'node_modules/@typescript/native/bin/tsc');
    expect(await run('node', [tsc, '-p', '.'])).toEqual({ code: 0, out: '', err: '' });
  },
);

const oldNode = (process.env['PATH'] ?? '')
  .split(path.delimiter)
  .map((place) => path.join(place, 'node'))
  .find((file) => existsSync(file) && !realpathSync(file).startsWith(root));
test.skipIf(oldNode === undefined)('an old Node is told so in a sentence', async () => {
  const { out: version } = await run(String(oldNode), ['--version']);
  const result = await run(String(oldNode), [path.join(installed, 'dist/cli/main.js'), '--version']);
  if (Number.parseInt(version.slice(1), 10) >= 24) {
    expect(result.code).toBe(0);
    return;
  }
  expect(result.code).toBe(3);
  expect(result.err).toMatch(/^waymark needs Node 24 or later; this is Node \d+\.\d+\.\d+\.\n/);
});
