/**
 * `npm run bench:servers [-- --write]`: every fixture task on every server that is here, from the same canonical transcripts. Prints a table;
 * `--write` puts it into docs/reference/servers-table.md.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadTasks } from '../src/cases/index.ts';
import { isStep, type JournalEvent } from '../src/events/index.ts';
import { executeRun, FolderRunStore, resolveRun } from '../src/runs/index.ts';
import { profileOf } from '../src/tools/index.ts';
import { median } from './measure.ts';

const TASKS = 'fixtures/tasks';
const OUT = 'docs/reference/servers-table.md';
const SERVERS = ['embedded', 'playwright', 'chrome-devtools'];

interface Row {
  server: string;
  version: string;
  passed: number;
  episodes: number;
  unsupported: string[];
  steps: number;
  calls: number;
  errors: number;
  callMs: number;
  observationMs: number;
  observationChars: number;
}

const tasks = await loadTasks([TASKS]);
const rows: Row[] = [];
let product = '';
for (const server of SERVERS) {
  process.stderr.write(`${tasks.length} tasks on ${server} …\n`);
  rows.push(await measure(server));
}
const table = [
  '# The fixture tasks on every server',
  '',
  `Made by \`npm run bench:servers -- --write\` on ${product}: ${tasks.length} tasks, one after the other, each from the same canonical transcript.`,
  'Milliseconds are medians of one run on one machine: compare them with each other, not with other machines.',
  '',
  '| server | version | passed | steps | calls | errors | ms a call | ms an observation | characters an observation |',
  '|---|---|---|---|---|---|---|---|---|',
  ...rows.map(
    (row) =>
      `| ${row.server} | ${row.version} | ${row.passed}/${row.episodes} | ${row.steps} | ${row.calls} | ${row.errors} | ${row.callMs.toFixed(0)} | ${row.observationMs.toFixed(0)} | ${row.observationChars} |`,
  ),
  '',
  'Steps are calls of the agent; calls also count those by which the harness finds an element in the server’s own snapshot. An observation is the',
  'answer to the server’s snapshot tool.',
  '',
  ...rows.flatMap(({ server, unsupported }) => unsupported.map((sentence) => `- ${server}: ${sentence}`)),
  '',
].join('\n');
console.log(table);
if (process.argv.includes('--write')) writeFileSync(OUT, table);
else if (!sameShape(table)) process.stderr.write(`${OUT} lists other servers or tasks: write it anew with --write\n`);

async function measure(server: string): Promise<Row> {
  const root = mkdtempSync(path.join(tmpdir(), 'waymark-servers-'));
  try {
    const run = await resolveRun({ tasks: [TASKS], server, version: 'bench' });
    using store = new FolderRunStore(root);
    await executeRun(run, {
      store,
      onPoolEvent: (event) => {
        if (event.type === 'browser_started') product = event.product;
      },
    });
    const episodes: JournalEvent[][] = [];
    for (const { caseId, trial } of run.plan.cells)
      episodes.push(await Array.fromAsync(store.events({ runId: run.plan.runId, caseId, trial, attempt: 1 })));
    return rowOf(server, profileOf(server).observe.tool, episodes);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function rowOf(server: string, observeTool: string, episodes: JournalEvent[][]): Row {
  const events = episodes.flat();
  const all = <T extends JournalEvent['type']>(type: T) =>
    events.filter((event): event is Extract<JournalEvent, { type: T }> => event.type === type);
  const stops = all('stop');
  const observations: { ms: number; chars: number }[] = [];
  for (const episode of episodes) {
    const looks = new Set(
      episode.flatMap((event) => (event.type === 'tool_call' && event.tool === observeTool ? [event.callId] : [])),
    );
    for (const event of episode) {
      if (event.type === 'tool_result' && looks.has(event.callId) && !event.isError)
        observations.push({ ms: event.durationMs, chars: event.textLength });
    }
  }
  return {
    server,
    version: all('start').map((start) => (start.kind === 'question' ? '' : (start.server.version ?? '')))[0] ?? '',
    passed: stops.filter(({ status }) => status === 'passed').length,
    episodes: episodes.length,
    unsupported: stops
      .filter(({ status }) => status !== 'passed')
      .map(({ reason }) => reason.replace(/^The agent is done, and the contract does not pass\. ?/, '')),
    steps: all('tool_call').filter(isStep).length,
    calls: all('tool_call').length,
    errors: all('tool_result').filter(({ isError }) => isError).length,
    callMs: median(all('tool_result').map(({ durationMs }) => durationMs)),
    observationMs: median(observations.map(({ ms }) => ms)),
    observationChars: Math.round(median(observations.map(({ chars }) => chars))),
  };
}

/** Numbers vary; servers and the number of tasks must not. */
function sameShape(table: string): boolean {
  const shape = (text: string): string => (text.match(/^\| [a-z-]+ \| \S+ \| \d+\/\d+/gm) ?? []).join('\n');
  try {
    return shape(readFileSync(OUT, 'utf8')) === shape(table);
  } catch {
    return false;
  }
}
