/**
 * `npm run demo`: the fixture suite in parallel slots on the embedded tools, then a foreign server, @playwright/mcp, confined to one context
 * by the gate; both watched and judged by the harness. Ends with a table and the paths of the HTML reports.
 */
import path from 'node:path';
import { readTranscript, scripted } from '../src/agents/index.ts';
import { loadTasks } from '../src/cases/index.ts';
import { Browser, ensureBrowser, Pool, reapOrphans } from '../src/chromium/index.ts';
import type { EpisodeResult } from '../src/events/index.ts';
import { newRunId, openRunFolder, runSuite, startSuiteFixture, writeReports, writeRunFile } from '../src/runs/index.ts';
import { profileOf } from '../src/tools/index.ts';

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

for (const { profile } of reapOrphans()) say(`removed what a crashed run had left behind: ${path.basename(profile)}`);
const browser = ensureBrowser(say);
const tasks = await loadTasks([TASKS]);
await using fixture = await startSuiteFixture([TASKS]);
const rows: string[] = [];
const reports: string[] = [];
let failed = 0;

for (const { server, concurrency, only } of SUITES) {
  const chosen = only ? tasks.filter(({ task }) => only.includes(task.id)) : tasks;
  const profile = profileOf(server);
  const startedAt = new Date();
  const runId = `${newRunId(startedAt)}-${server}`;
  const folder = openRunFolder(path.join('.waymark', 'demo', runId), runId);
  await using pool = new Pool({
    slots: concurrency,
    start: () => Browser.launch({ browser, resolverRules: fixture.resolverRules }),
    onEvent: (event) => {
      if (event.type === 'browser_started')
        say(`${event.product} is up, by pipe: no debugging port is open on this machine`);
    },
  });
  say(`${chosen.length} tasks on ${server}, ${concurrency} at a time`);
  const transcripts = new Map(
    chosen.map(({ task, folder: at }) => [task.id, readTranscript(path.resolve(at, task.oracle ?? ''))]),
  );
  const places = await runSuite({
    tasks: chosen,
    profile,
    pool,
    folder,
    concurrency,
    isolation: 'context',
    allowHosts: fixture.allowHosts,
    environment: { waymark: 'demo', node: process.version, platform: process.platform },
    agent: ({ task }) => {
      const transcript = transcripts.get(task.id);
      if (!transcript) throw new Error(`no transcript for ${task.id}`);
      return scripted({ transcript, profile });
    },
    onProgress: ({ done, total, taskId, status }) =>
      say(`${String(done).padStart(2)}/${total}  ${taskId.padEnd(22)} ${status}`),
  });
  const episodes = places.map((place) => ({
    folder: path.relative(folder.root, place.folder),
    oracleSteps: transcripts.get(place.task.task.id)?.moves.length ?? 0,
    ...(place.failed === undefined ? {} : { failed: place.failed }),
  }));
  writeRunFile(folder.root, {
    format: 'waymark.run.v1',
    runId,
    startedAt: startedAt.toISOString(),
    endedAt: new Date().toISOString(),
    episodes,
  });
  const { results } = await writeReports(folder.root);
  rows.push(...results.map((result) => row(server, result)));
  failed += places.length - results.filter(({ success }) => success).length;
  reports.push(path.join(folder.root, 'report.html'));
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
