/**
 * `npm run results:web [-- --seeds 0]`: Waymark Web with the scripted oracle, on three tool servers, and with all policies of the test model.
 * Writes tables into docs/results.md. Ends with 1 where a result says that something is wrong with the harness or with a task: an oracle that does not arrive, a
 * liar that does, an injected model that passes a task whose page gives it orders, a fault.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { loadTasks, parseSeeds, writeInstances } from '../src/cases/index.ts';
import { version } from '../src/cli/version.ts';
import type { EpisodeResult } from '../src/events/index.ts';
import { isAgentOutcome } from '../src/metrics/index.ts';
import { executeRun, FolderRunStore, resolveRun, writeReports } from '../src/runs/index.ts';
import { startTestModel } from '../src/test-model/index.ts';
import { putSection } from './results/put-section.ts';
import { type ServerResults, serverTable } from './results/server-table.ts';
import { type PolicyResults, webTables } from './results/web-table.ts';

const SUITE = 'suites/waymark-web';
const PAGE = 'docs/results.md';
const POLICIES = ['oracle', 'wanderer', 'liar', 'stubborn', 'injected'];
/** On which the same transcripts are replayed as on the embedded one. */
const SERVERS = ['playwright', 'chrome-devtools'];
/** Tasks whose pages address agents. */
const BAITED = /^(shop-review|mail-visit|desk-phone)-/;

const { values } = parseArgs({ options: { seeds: { type: 'string', default: '0' } } });
const tasks = path.join('.waymark', 'results', `waymark-web-${values.seeds}`);
await writeInstances(SUITE, parseSeeds(values.seeds), tasks);
const groups = new Map(
  (await loadTasks([tasks])).map(({ task }) => [
    task.id,
    { level: task.tags?.find((tag) => tag.startsWith('level-')) ?? '', kind: task.category ?? '' },
  ]),
);
await using model = await startTestModel({ tasks: [tasks] });
const env = { ...process.env, TEST_MODEL_KEY: 'none' };

const rows: PolicyResults[] = [];
const servers: ServerResults[] = [];
const wrong: string[] = [];
const fallen: string[] = [];
let about = '';
const subjects: { policy?: string; server?: string }[] = [
  ...[undefined, ...SERVERS].map((server) => (server === undefined ? {} : { server })),
  ...POLICIES.map((policy) => ({ policy })),
];
for (const { policy, server: chosen } of subjects) {
  const name = policy ?? (chosen === undefined ? 'scripted oracle' : `scripted oracle on ${chosen}`);
  const address = model.baseUrls['openai-compatible'];
  const run = await resolveRun({
    tasks: [tasks],
    // The stubborn one waits two seconds for an element in each of its calls, and needs little of the machine.
    ...(policy === 'stubborn' ? { concurrency: 8, maxSteps: 5 } : { concurrency: 3 }),
    ...(policy === undefined
      ? {}
      : {
          agent: 'single',
          model: { kind: 'openai-compatible', model: `test:${policy}`, baseUrl: address } as const,
        }),
    ...(chosen === undefined ? {} : { server: chosen }),
    screenshots: false,
    env,
    version: version(),
  });
  const root = path.join('.waymark', 'results', run.plan.runId);
  using store = new FolderRunStore(root);
  process.stderr.write(`${name}: ${run.plan.cells.length} tasks, in ${root}\n`);
  const { notBegun } = await executeRun(run, { store, env });
  for (const { attempt, reason } of notBegun) wrong.push(`${name}, ${attempt.caseId}: not begun. ${reason}`);
  const results: EpisodeResult[] = [];
  await writeReports(root, { onResult: (result) => results.push(result) });
  if (chosen === undefined) rows.push({ name, results });
  const used = results[0]?.server;
  if (policy === undefined) servers.push({ server: `${used?.name ?? name} ${used?.version ?? ''}`.trim(), results });
  for (const result of results) {
    const { environment, server } = result;
    if (chosen === undefined)
      about = `Waymark ${environment.waymark}, ${environment.browser?.product}, server ${server.name} ${server.version}, suite ${run.plan.suite.hash.slice(0, 12)}, seeds ${values.seeds}`;
    if (isWrong(policy, result)) wrong.push(`${name}, ${result.taskId}: ${result.outcome}. ${result.reason}`);
    if (policy === 'injected' && BAITED.test(result.taskId))
      fallen.push(`\`${result.taskId}\`: ${result.outcome}. ${result.reason}`);
  }
}

/** What can't be the policy's doing. */
function isWrong(policy: string | undefined, { success, outcome, taskId }: EpisodeResult): boolean {
  if (policy === 'injected' && BAITED.test(taskId)) return success;
  if (!isAgentOutcome(outcome)) return true;
  if (policy === 'liar') return success;
  return (policy === undefined || policy === 'oracle') && !success;
}

const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');
const section = [
  '## Waymark Web, with the test model',
  `**Made with the test model.** The policies are programs that play a model: these tables show what the benchmark tells apart, and measure no model. Made by \`npm run results:web\`: ${about}. Passed tasks, with 95 % intervals (Wilson). \`stubborn\` had 5 steps for each task.`,
  webTables(rows, groups),
  `The oracles on other tool servers, by the same transcripts:\n\n${serverTable(servers)}`,
  `What became of \`injected\`, which obeys the text of a page, on the tasks whose pages address agents:\n\n${list(fallen)}`,
  ...(wrong.length > 0 ? [`Not as it should be:\n\n${list(wrong)}`] : []),
].join('\n\n');
const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '# Results\n';
writeFileSync(PAGE, putSection(page, 'waymark-web', section));
console.log(section);
process.exitCode = wrong.length > 0 ? 1 : 0;
