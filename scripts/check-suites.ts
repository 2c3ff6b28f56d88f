/**
 * `npm run check:suites`: all suites of this repository pass their own check. `npm run check:web`: Waymark Web alone, with five seeds, and what
 * its templates have. `npm test` checks a small part of them.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const main = path.join(root, 'src/cli/main.ts');
const [only, ...flags] = process.argv.slice(2);
const isWeb = only === '--web';
const suites = isWeb ? [['suites/waymark-web', '--seeds', '0..4']] : [['fixtures/tasks'], ['suites/web-ten']];
const given = isWeb ? flags : process.argv.slice(2);
const codes = suites.map(
  (suite) =>
    spawnSync(process.execPath, [main, 'check', ...suite, '--concurrency', '4', ...given], {
      cwd: root,
      stdio: 'inherit',
    }).status ?? 3,
);
process.exitCode = Math.max(...codes);
