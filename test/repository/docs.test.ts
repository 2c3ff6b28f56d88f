import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
interface Manifest {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies?: Record<string, string>;
}
const manifest = (file: string) => JSON.parse(read(file)) as Manifest;
const rootManifest = manifest('package.json');

describe.each([
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'docs/dependencies.md',
  'docs/explanation/architecture.md',
  'docs/explanation/judges.md',
  'docs/how-to/calibrate-a-judge.md',
  'docs/how-to/choose-a-grader.md',
  'docs/how-to/use-a-judge.md',
  'docs/how-to/write-a-grader.md',
  'docs/reference/graders.md',
])('%s', (file) => {
  const text = read(file);

  test('links to files that exist', () => {
    const links = [...text.matchAll(/\]\(([^)#]+)\)/g)]
      .map(([, link]) => String(link))
      .filter((link) => !link.includes('://'));
    expect(links.filter((link) => !existsSync(path.resolve(root, path.dirname(file), link)))).toEqual([]);
  });

  test('names npm scripts and commands that exist', () => {
    const scripts = [...text.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name]) => String(name));
    expect(scripts.filter((name) => !(name in rootManifest.scripts))).toEqual([]);
    const named = [...text.matchAll(/(?:npm run (?:--silent )?waymark -- |`waymark )(\w[\w-]*)/g)].map(([, name]) =>
      String(name),
    );
    expect(named.filter((name) => !(name in commands))).toEqual([]);
  });
});

test('docs/explanation/architecture.md names source files that exist, in walks of at most ten steps', () => {
  const text = read('docs/explanation/architecture.md');
  const named = [...text.matchAll(/`(src\/[\w./-]+)`/g)].map(([, file]) => String(file));
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  const walks = text.split(/^## .*file by file$/m).slice(1);
  expect(walks.map((walk) => [...walk.matchAll(/^\d+\. /gm)].length)).toEqual([10, 10, 10]);
});

test('every npm script runs a file that exists', () => {
  const files = Object.values(rootManifest.scripts).flatMap((script) => /^node (\S+)/.exec(script)?.[1] ?? []);
  expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});

test('every npm script that can be the first on a fresh clone installs what it needs', () => {
  const bare = Object.keys(rootManifest.scripts).filter(
    (name) => !/^(pre.+|bootstrap)$/.test(name) && !(`pre${name}` in rootManifest.scripts),
  );
  expect(bare).toEqual([]);
});

test.each(['package.json', 'servers/package.json'])('every dependency of %s has a line with the reason', (file) => {
  const rows = [...read('docs/dependencies.md').matchAll(/^\| ([^|]+) \|/gm)]
    .map(([, names]) => String(names))
    .join(' ');
  const { dependencies, devDependencies } = manifest(file);
  expect(Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !rows.includes(`\`${name}\``))).toEqual(
    [],
  );
});

test('the lock files contain no registry URLs', () => {
  for (const file of ['package-lock.json', 'servers/package-lock.json']) expect(read(file)).not.toMatch(/"resolved"/);
});
