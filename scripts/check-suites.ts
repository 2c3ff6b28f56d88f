/**
 * `npm run check:suites`: all suites of this repository pass their own check. `npm run check:web [-- --seeds 0] [--quick]`: Waymark Web alone,
 * with five seeds, and what its templates have. `npm test` checks a small part of them.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseSeeds } from '../src/cases/index.ts';
import { templateSummary } from './results/template-summary.ts';

const root = path.resolve(import.meta.dirname, '..');
const main = path.join(root, 'src/cli/main.ts');
const [only, ...flags] = process.argv.slice(2);
const isWeb = only === '--web';

function check(suite: string, more: readonly string[]): number {
  const command = [main, 'check', suite, '--concurrency', '4', ...more];
  return spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' }).status ?? 3;
}

if (isWeb) {
  const at = flags.indexOf('--seeds');
  const seeds = at < 0 ? '0..4' : (flags[at + 1] ?? '');
  const rest = at < 0 ? flags : flags.toSpliced(at, 2);
  // Loaded only where it is asked for: the other suites have no templates.
  const { default: instances } = await import('../suites/waymark-web/templates.ts');
  const { text, problems } = templateSummary(parseSeeds(seeds).map((seed) => ({ seed, tasks: instances(seed) })));
  const code = check('suites/waymark-web', ['--seeds', seeds, ...rest]);
  console.log([text, ...problems].join('\n'));
  process.exitCode = Math.max(code, problems.length > 0 ? 1 : 0);
} else
  process.exitCode = Math.max(
    ...['fixtures/tasks', 'suites/web-ten'].map((suite) => check(suite, process.argv.slice(2))),
  );
