/**
 * `npm test`: types, lint, import rules, unused code, unit tests, whole flows. Everything runs, whatever fails; one table at the end.
 * `npm run check` is this with `--quick`: all but the flows.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { endAll, runStage, type Stage, type StageResult } from './test/stage.ts';
import { summary } from './test/summary.ts';

const root = path.dirname(import.meta.dirname);
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const reports = mkdtempSync(path.join(tmpdir(), 'waymark-test-'));

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, async () => {
    endAll();
    await reap();
    console.log(`\nended by ${signal}`);
    process.exit(130);
  });
}
process.once('exit', () => rmSync(reports, { recursive: true, force: true }));

/** Tests that were killed leave their browsers to the ledger. */
async function reap(): Promise<void> {
  try {
    (await import('../src/chromium/index.ts')).reapOrphans();
  } catch {
    // It may be this very code that is broken; the next start reaps.
  }
}

const tool = (file: string) => path.join(root, 'node_modules', file);
const rules = ['src', 'test', 'bench', 'scripts', 'fixtures', 'suites', 'web', 'page'].filter((folder) =>
  existsSync(path.join(root, folder)),
);

function vitest(project: string): Stage {
  const report = path.join(reports, `${project}.json`);
  return {
    name: project,
    args: [
      tool('vitest/vitest.mjs'),
      'run',
      '--project',
      project,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    report,
  };
}

const quick: Stage[] = [
  { name: 'types', args: [tool('@typescript/native/bin/tsc'), '-p', '.', '--pretty', 'false'] },
  { name: 'page', args: [tool('@typescript/native/bin/tsc'), '-p', 'page', '--pretty', 'false'] },
  { name: 'web', args: [tool('@typescript/native/bin/tsc'), '-p', 'web', '--pretty', 'false'] },
  { name: 'lint', args: [tool('@biomejs/biome/bin/biome'), 'ci', '--colors=off'] },
  { name: 'imports', args: [tool('dependency-cruiser/bin/dependency-cruiser.mjs'), ...rules, '--config'] },
  { name: 'unused', args: [tool('knip/bin/knip.js'), '--no-progress'] },
];
const prepare: Stage = { name: 'prepare', args: [path.join(root, 'scripts', 'prepare-flows.ts')] };
const tests = values.quick ? [vitest('unit')] : [vitest('unit'), prepare, vitest('flows')];

const results: StageResult[] = await Promise.all(quick.map((stage) => runStage(stage, root)));
// One after the other: each takes the whole machine.
for (const stage of tests) results.push(await runStage(stage, root));
if (results.some(({ ok }) => !ok)) await reap();
for (const line of summary(results)) console.log(line);
process.exit(results.every(({ ok }) => ok) ? 0 : 1);
