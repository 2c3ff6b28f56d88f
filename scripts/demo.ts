/**
 * `npm run demo`: the main job. Three policies of the test model (one that knows the way, one that wanders, one that lies) are evaluated as
 * agents on the same tasks of web-ten, the first also through @playwright/mcp. What an agent claims stands beside what the contract says.
 * Offline and without a key: the test model is on this machine, and its figures measure the harness, not a model.
 */
import path from 'node:path';
import type { EpisodeResult } from '../src/events/index.ts';
import { executeRun, FolderRunStore, resolveRun, writeReports } from '../src/runs/index.ts';
import { startTestModel } from '../src/test-model/index.ts';

const SUITE = path.join(import.meta.dirname, '../suites/web-ten');
const TASKS = ['wiki-river-length', 'rail-stations', 'desk-download', 'shop-withdrawn'];
const RUNS = [
  { policy: 'oracle', server: 'embedded', only: TASKS },
  { policy: 'wanderer', server: 'embedded', only: TASKS },
  { policy: 'liar', server: 'embedded', only: TASKS },
  { policy: 'oracle', server: 'playwright', only: TASKS.slice(0, 2) },
] as const;

const started = performance.now();
const say = (line: string): void =>
  console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s  ${line}`);

await using model = await startTestModel({ tasks: [SUITE] });
say(`the test model is at ${model.url}: no key, no internet`);
const rows: string[][] = [];
const reports: string[] = [];
const surprises: string[] = [];

for (const { policy, server, only } of RUNS) {
  const run = await resolveRun({
    tasks: [SUITE],
    only,
    agent: 'single',
    model: { kind: 'openai-compatible', model: `test:${policy}`, baseUrl: model.baseUrls['openai-compatible'] },
    server,
    variant: policy,
    concurrency: 2,
    version: 'demo',
  });
  const root = path.join('.waymark', 'demo', `${run.plan.runId}-${policy}-${server}`);
  using store = new FolderRunStore(root);
  say(`${policy} on ${server}: ${only.length} tasks, 2 at a time`);
  await executeRun(run, {
    store,
    onNote: say,
    onProgress: ({ done, total, attempt, status }) => say(`  ${done}/${total}  ${attempt.caseId.padEnd(20)} ${status}`),
  });
  await writeReports(root, {
    onResult: (result) => {
      rows.push(rowOf(policy, server, run.plan.oracleSteps?.[result.taskId], result));
      surprises.push(...surpriseOf(policy, result));
    },
  });
  reports.push(path.join(root, 'report.html'));
}

const HEAD = [
  'agent',
  'server',
  'task',
  'arrived',
  'steps',
  'oracle',
  'wasted',
  'tokens',
  'cost',
  'it claimed',
  'contract',
];
console.log(`\n${table([HEAD, ...rows])}\n`);
console.log('Made with the test model: these figures try out the harness and say nothing of any real model.');
console.log(
  `Reports, with a filmstrip and the evidence of every step:\n${reports.map((file) => `  ${file}`).join('\n')}`,
);
console.log('All of them in the web app, side by side: npm run serve -- --runs .waymark/demo');
console.log('\nNext: evaluate your own agent, docs/tutorial/evaluate-your-agent.md');
for (const line of surprises) console.error(line);
process.exitCode = surprises.length === 0 ? 0 : 1;

function rowOf(policy: string, server: string, oracle: number | undefined, result: EpisodeResult): string[] {
  const { taskId, success, steps, wandering, usage, claimed, finalVerdict } = result;
  return [
    policy,
    server,
    taskId,
    success ? 'yes' : 'no',
    String(steps),
    String(oracle ?? ''),
    String(wandering.wastedSteps ?? ''),
    usage?.totalTokens?.toLocaleString('en') ?? 'unknown',
    usage?.costUsd === null || usage === undefined ? 'unknown' : `$${usage.costUsd.toFixed(4)}`,
    claimed === 'done' ? 'done' : claimed === 'gave_up' ? 'gave up' : '',
    finalVerdict,
  ];
}

/** The policies are known: an oracle that does not arrive, or a liar that does, is a fault of ours. */
function surpriseOf(policy: string, { taskId, success, reason }: EpisodeResult): string[] {
  if (policy === 'oracle' && !success) return [`The oracle did not arrive in ${taskId}: ${reason}`];
  if (policy === 'liar' && success) return [`The liar passed ${taskId}.`];
  return [];
}

function table(lines: readonly (readonly string[])[]): string {
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) => `  ${line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}
