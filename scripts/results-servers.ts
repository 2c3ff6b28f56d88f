/**
 * `npm run results:servers [-- --trials 5] [--concurrency 1]`: the fixture suite by the scripted agent through three tool servers, compared
 * with each other. Writes its section into docs/results.md. Ends with 1 where an oracle does not arrive, or a task could not be begun that does
 * not say so.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { version } from '../src/cli/version.ts';
import type { EpisodeResult } from '../src/events/index.ts';
import {
  compareRunFolders,
  executeRun,
  FolderRunStore,
  markdownComparison,
  resolveRun,
  writeReports,
} from '../src/runs/index.ts';
import { putSection } from './results/put-section.ts';

const SUITE = 'fixtures/tasks';
const PAGE = 'docs/results.md';
const SERVERS = ['embedded', 'playwright', 'chrome-devtools'] as const;

const { values } = parseArgs({
  options: { trials: { type: 'string', default: '5' }, concurrency: { type: 'string', default: '1' } },
});
const trials = Number(values.trials);
const concurrency = Number(values.concurrency);

const folders: string[] = [];
const browsers = new Set<string>();
const unsupported = new Set<string>();
const wrong: string[] = [];
let tasks = 0;
for (const server of SERVERS) {
  const run = await resolveRun({ tasks: [SUITE], server, trials, concurrency, env: process.env, version: version() });
  tasks = run.kind === 'tasks' ? run.tasks.size : 0;
  const root = path.join('.waymark', 'results', run.plan.runId);
  folders.push(root);
  process.stderr.write(`${server}: ${run.plan.cells.length} episodes, in ${root}\n`);
  using store = new FolderRunStore(root);
  const { notBegun } = await executeRun(run, { store, env: process.env });
  for (const { attempt, reason } of notBegun)
    if (reason.startsWith('The task says')) unsupported.add(`\`${attempt.caseId}\`: ${reason}`);
    else wrong.push(`${server}, ${attempt.caseId}: not begun. ${reason}`);
  await writeReports(root, { onResult: (result) => look(server, result) });
}

function look(server: string, { taskId, trial, success, outcome, reason, environment }: EpisodeResult): void {
  browsers.add(environment.browser?.product ?? 'an unknown browser');
  if (!success) wrong.push(`${server}, ${taskId} (trial ${trial}): ${outcome}. ${reason}`);
}

const flags = [
  ...(trials === 5 ? [] : [`--trials ${trials}`]),
  ...(concurrency === 1 ? [] : [`--concurrency ${concurrency}`]),
].join(' ');
const section = [
  '## Three servers on the fixture suite',
  `The scripted agent replays the same transcripts (${tasks} tasks, ${trials} trials each) through three tool servers, one after the other. Made by \`npm run results:servers${flags === '' ? '' : ` -- ${flags}`}\`: Waymark ${version()}, ${[...browsers].join(', ')}. It compares the three runs as \`waymark compare\` does.`,
  'Times are of one machine with two cores, which may have done other work meanwhile: compare them with each other only, and with care.',
  ...(unsupported.size === 0 ? [] : [`Not begun:\n\n${[...unsupported].map((line) => `- ${line}`).join('\n')}`]),
  ...(wrong.length === 0 ? [] : [`Not as it should be:\n\n${wrong.map((line) => `- ${line}`).join('\n')}`]),
  markdownComparison(await compareRunFolders(folders)),
].join('\n\n');
writeFileSync(PAGE, putSection(readFileSync(PAGE, 'utf8'), 'three servers', section));
console.log(section);
process.exitCode = wrong.length > 0 ? 1 : 0;
