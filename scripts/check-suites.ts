/** `npm run check:suites`: all suites of this repository pass their own check. `npm test` checks a small part of them. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const main = path.join(root, 'src/cli/main.ts');
const codes = ['fixtures/tasks', 'suites/web-ten'].map(
  (suite) =>
    spawnSync(process.execPath, [main, 'check', suite, '--concurrency', '4', ...process.argv.slice(2)], {
      cwd: root,
      stdio: 'inherit',
    }).status ?? 3,
);
process.exitCode = Math.max(...codes);
