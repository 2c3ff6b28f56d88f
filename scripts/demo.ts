/**
 * `npm run demo`: the fixture suite in parallel slots on the embedded tools, then a foreign server, @playwright/mcp, confined to one context
 * by the gate; both watched and judged by the harness. Ends with a table and the paths of the HTML reports.
 */
import path from 'node:path';
import type { EpisodeResult } from '../src/events/index.ts';
import { executeRun, FolderRunStore, resolveRun, writeReports } from '../src/runs/index.ts';

const TASKS = path.join(import.meta.dirname, '../fixtures/tasks');
const SUITES = [
  { server: 'embedded', concurrency: 3, only: undefined },
  {
    server: 'playwright',
    concurrency: 1,
    only: ['example-h1', 'local-form-submit', 'dialog-confirm', 'popup-message'],
  },
];

const started = performance.now();
const say = (line: string): void =>
  console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s  ${line}`);

const rows: string[] = [];
const reports: string[] = [];
let failed = 0;

for (const { server, concurrency, only } of SUITES) {
  const run = await resolveRun({ tasks: [TASKS], only, server, concurrency, version: 'demo' });
  const root = path.join('.waymark', 'demo', `${run.plan.runId}-${server}`);
  using store = new FolderRunStore(root);
  say(`${run.plan.cells.length} tasks on ${server}, ${concurrency} at a time`);
  const { total } = await executeRun(run, {
    store,
    onNote: say,
    onPoolEvent: (event) => {
      if (event.type === 'browser_started')
        say(`${event.product} is up, by pipe: no debugging port is open on this machine`);
    },
    onProgress: ({ done, total: all, attempt, status }) =>
      say(`${String(done).padStart(2)}/${all}  ${attempt.caseId.padEnd(22)} ${status}`),
  });
  const { results } = await writeReports(root);
  rows.push(...results.map((result) => row(server, result)));
  failed += total - results.filter(({ success }) => success).length;
  reports.push(path.join(root, 'report.html'));
}

console.log(`\n  ${'server'.padEnd(11)}${'task'.padEnd(23)}${'status'.padEnd(11)}steps  reward   time`);
for (const line of rows) console.log(`  ${line}`);
console.log(
  `\nReports, with a filmstrip and the evidence of every step:\n${reports.map((file) => `  ${file}`).join('\n')}`,
);
process.exitCode = failed === 0 ? 0 : 1;

function row(server: string, { taskId, status, steps, reward, durationMs }: EpisodeResult): string {
  const sum = (reward?.sum ?? 0).toFixed(2).padStart(6);
  return `${server.padEnd(11)}${taskId.padEnd(23)}${status.padEnd(11)}${String(steps).padStart(5)}  ${sum}  ${(durationMs / 1000).toFixed(1).padStart(4)} s`;
}
