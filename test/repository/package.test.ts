import { once } from 'node:events';
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
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { matcher, partsOf } from '../docs/typed-page.ts';
import { plainEnvironment, runProcess } from './run-process.ts';

// The package as a user gets it: built, packed, installed into an empty folder.
const root = path.resolve(import.meta.dirname, '../..');
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'waymark-package-')));
const consumer = path.join(folder, 'consumer');
const installed = path.join(consumer, 'node_modules', 'waymark');
const tsc = path.join(root, 'node_modules/@typescript/native/bin/tsc');
const STRICT = { module: 'nodenext', target: 'es2024', strict: true, noEmit: true, allowImportingTsExtensions: true };
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// This test's own Node first: the system's may be older than the package wants.
const env = plainEnvironment({
  PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH'] ?? ''}`,
});
const run = (command: string, args: string[], cwd = consumer) => runProcess(command, args, { cwd, env });
/** What a program can import, as it writes it: `waymark`, `waymark/contracts`, … */
const specifiers = Object.keys(
  (JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { exports: object }).exports,
)
  .filter((name) => name !== './package.json')
  .map((name) => `waymark${name.slice(1)}`);
/** A name for a file or a constant that belongs to it. */
const plain = (specifier: string): string => specifier.replaceAll(/[/-]/g, '_');

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
}, 600_000);

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

test('a task of the suite web-ten runs, with the sites that come with it', async () => {
  const task = 'node_modules/waymark/dist/suites/web-ten/wiki-river-length.task.json';
  const done = await run('npx', ['--no-install', 'waymark', 'run', task, '--out', 'runs/river']);
  expect(done, done.err).toMatchObject({ code: 0 });
  const report: unknown = JSON.parse(readFileSync(path.join(consumer, 'runs/river/report.json'), 'utf8'));
  expect(report).toMatchObject({ summary: { episodes: 1, passed: 1 } });
  const tasks = readdirSync(path.join(installed, 'dist/suites/web-ten')).filter((name) => name.endsWith('.task.json'));
  expect(tasks).toHaveLength(10);
}, 120_000);

test.each(specifiers)('%s can be imported', async (specifier) => {
  const script = `import * as all from '${specifier}'; console.log(Object.keys(all).length > 0);`;
  writeFileSync(path.join(consumer, `${plain(specifier)}.mjs`), script);
  expect(await run('node', [`${plain(specifier)}.mjs`])).toEqual({ code: 0, out: 'true\n', err: '' });
});

test('docs/how-to/use-as-a-library.md: a task and an agent that are written outside run in a real browser', async () => {
  const page = readFileSync(path.join(root, 'docs/how-to/use-as-a-library.md'), 'utf8');
  let html = '';
  await using server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let said = '';
  for (const part of partsOf(page)) {
    if (part.do === 'write' && part.file === 'index.html') html = part.text;
    else if (part.do === 'write') {
      writeFileSync(path.join(consumer, part.file), part.text.replaceAll('http://127.0.0.1:8080', origin));
    } else if (part.do === 'type' && part.line.startsWith('node ')) {
      const done = await run('sh', ['-c', part.line]);
      expect(done, done.err).toMatchObject({ code: 0 });
      said = done.out;
    } else if (part.do === 'expect') expect(said).toMatch(matcher(part.lines));
  }
  const report: unknown = JSON.parse(readFileSync(path.join(consumer, 'runs/greet/report.json'), 'utf8'));
  expect(report).toMatchObject({ agent: 'first-button', summary: { episodes: 1, passed: 1 } });
  // An agent that does nothing does not pass: the page decides.
  const idle = readFileSync(path.join(consumer, 'greet.ts'), 'utf8')
    .replace(/async run\(session\) \{.*?\n {2}\},/s, "run: async () => ({ answer: 'The page says hello.' }),")
    .replace('runs/greet', 'runs/idle');
  writeFileSync(path.join(consumer, 'idle.ts'), idle);
  expect((await run('node', ['idle.ts'])).out).toContain('0 of 1 passed\n');
  const tsconfig = { compilerOptions: { ...STRICT, lib: ['esnext', 'dom'], types: ['node'], skipLibCheck: true } };
  writeFileSync(path.join(consumer, 'tsconfig.json'), JSON.stringify({ ...tsconfig, files: ['greet.ts', 'idle.ts'] }));
  expect(await run('node', [tsc, '-p', '.'])).toEqual({ code: 0, out: '', err: '' });
}, 180_000);

test('graders that are written outside grade a run: a module with the types of the package, and a program', async () => {
  const grader = `import { defineGrader } from 'waymark';
    export default defineGrader({
      name: 'few-steps',
      version: '1',
      grade({ events }, { config }) {
        const { most } = config as { most: number };
        const steps = events.filter((event) => event.type === 'tool_call' && event.by === 'agent').length;
        return { verdict: steps <= most ? 'pass' : 'fail', reasoning: \`\${steps} steps\` };
      },
    });`;
  writeFileSync(path.join(consumer, 'few-steps.ts'), grader);
  const program = `process.stdin.resume().on('end', () => console.log('{"verdict":"pass","reasoning":"ok"}'));`;
  writeFileSync(path.join(consumer, 'program.mjs'), program);
  const specs = {
    two: { grader: 'module', name: 'two', file: 'few-steps.ts', config: { most: 2 } },
    one: { grader: 'module', name: 'one', file: 'few-steps.ts', config: { most: 1 } },
    program: { grader: 'command', name: 'program', command: ['node', 'program.mjs'] },
  };
  for (const [name, spec] of Object.entries(specs))
    writeFileSync(path.join(consumer, `${name}.json`), JSON.stringify(spec));
  const files = Object.keys(specs).map((name) => `./${name}.json`);
  const { code, out, err } = await run('npx', [
    '--no-install',
    'waymark',
    'grade',
    'runs/greet',
    '--grader',
    files.join(','),
  ]);
  expect({ code, out }, err).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^two: 1 of 1 passed\none: 0 of 1 passed\nprogram: 1 of 1 passed\n/),
  });
  expect(err).toContain('greet  one  fail  2 steps');
  const tsconfig = { compilerOptions: { ...STRICT, lib: ['esnext', 'dom'], types: ['node'], skipLibCheck: true } };
  writeFileSync(path.join(consumer, 'tsconfig.json'), JSON.stringify({ ...tsconfig, files: ['few-steps.ts'] }));
  expect(await run('node', [tsc, '-p', '.'])).toEqual({ code: 0, out: '', err: '' });
}, 180_000);

test('a module is entered by its entry file only', async () => {
  writeFileSync(path.join(consumer, 'inside.mjs'), `import 'waymark/dist/contracts/evaluate.js';`);
  expect((await run('node', ['inside.mjs'])).err).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED');
});

/** What a consumer must have: the pure modules nothing at all, the others what any program for Node has. */
const withNode = ['waymark', 'waymark/episode', 'waymark/test-model'];
const consumers = [
  { of: specifiers.filter((specifier) => !withNode.includes(specifier)), lib: ['es2024', 'dom'], types: [] },
  { of: withNode, lib: ['esnext', 'dom', 'dom.iterable'], types: ['node'] },
];

test.each(consumers)(
  'the types of $of are found, and need no package that is not installed with it',
  async ({ of, lib, types }) => {
    const lines = of.flatMap((specifier) => [
      `import * as ${plain(specifier)} from '${specifier}';`,
      `export const all_${plain(specifier)}: (keyof typeof ${plain(specifier)})[] = [];`,
      '// @ts-expect-error: without types, anything could be imported',
      `export { nothingOfThisName as no_${plain(specifier)} } from '${specifier}';`,
    ]);
    writeFileSync(path.join(consumer, 'consumer.ts'), lines.join('\n'));
    const compilerOptions = { ...STRICT, lib, types, skipLibCheck: types.length > 0 };
    writeFileSync(path.join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
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
