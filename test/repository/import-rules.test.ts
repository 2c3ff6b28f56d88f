import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

// A small repository that breaks every rule once. It shows that the cruiser still reads TypeScript: if it could not follow imports,
// it would report no error at all.
const root = path.resolve(import.meta.dirname, '../..');
const offences: Record<string, string> = {
  'src/errors/index.ts': `import './inner.ts'; export const error = 1;`,
  'src/errors/inner.ts': `import { error } from './index.ts'; console.log(error);`,
  'src/chromium/index.ts': `import type { command } from '../cli/index.ts'; export type Command = typeof command;`,
  'src/chromium/inner.ts': `export const inner = 1;`,
  'src/cli/index.ts': `import { inner } from '../chromium/inner.ts'; export const command = inner;`,
  'src/reward/index.ts': `export const lazy = () => import('../contracts/index.ts');`,
  'src/contracts/index.ts': `import { readFileSync } from 'node:fs'; import 'ws'; export { readFileSync };`,
  'src/metrics/index.ts': `export type Hidden = import('../chromium/index.ts').Command;`,
  'src/unknown/index.ts': `import { error } from '../errors/index.ts'; console.log(error);`,
  'src/journal/index.ts': `import 'fast-check'; import 'acorn'; import './nowhere.ts';`,
  'src/tools/index.ts': `import '../../test/flow.ts';`,
  'test/flow.ts': `export {};`,
  'src/agents/index.ts': `import '../../web/src/fine.ts';`,
  'web/src/fine.ts': `export {};`,
  'web/src/main.ts': `import { command } from '../../src/cli/index.ts'; import '../../page/build.ts'; console.log(command);`,
  'page/build.ts': `import { command } from '../src/cli/index.ts'; console.log(command);`,
  'src/events/index.ts': `import '../cases/index.ts';`,
  'src/cases/index.ts': `export {};`,
  'src/capture/formats.ts': `import { z } from 'zod'; console.log(z);`,
};
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-rules-'));
  for (const file of ['.dependency-cruiser.cjs', 'module-layers.json', 'package.json', 'tsconfig.json']) {
    cpSync(path.join(root, file), path.join(folder, file));
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
  for (const [file, text] of Object.entries(offences)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every import rule finds its offence', () => {
  const cruiser = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const args = [cruiser, 'src', 'test', 'web', 'page', '--config', '--output-type', 'json'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  const { summary } = JSON.parse(stdout) as { summary: { violations: { rule: { name: string }; from: string }[] } };
  const found = new Set(summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`));
  expect([...found].sort()).toEqual([
    'dependencies-are-declared: src/journal/index.ts',
    'direction-of-chromium: src/chromium/index.ts',
    'direction-of-metrics: src/metrics/index.ts',
    'direction-of-reward: src/reward/index.ts',
    'entry-of-chromium: src/cli/index.ts',
    'known-modules-only: src/unknown/index.ts',
    'no-cycles: src/errors/index.ts',
    'page-takes-pure-code-from-src: page/build.ts',
    'pure-modules-do-no-io: src/contracts/index.ts',
    'pure-modules-know-schemas-of-cases: src/events/index.ts',
    'pure-modules-use-few-libraries: src/contracts/index.ts',
    'resolvable: src/journal/index.ts',
    'sources-know-no-tests: src/tools/index.ts',
    'sources-run-on-runtime-dependencies: src/journal/index.ts',
    'web-stands-alone: src/agents/index.ts',
    'web-takes-no-code-from-page: web/src/main.ts',
    'web-takes-pure-code-from-src: web/src/main.ts',
    'what-pages-run-imports-types-only: src/capture/formats.ts',
  ]);
});
