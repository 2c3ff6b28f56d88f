/**
 * `npm run bench:servers [-- --write] [--only <name>]…`: every fixture task on the three known servers and on further ones from npm, from the same
 * canonical transcripts. Prints a table; `--write` puts it into docs/reference/servers-table.md.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { loadTasks } from '../src/cases/index.ts';
import { isStep, type JournalEvent } from '../src/events/index.ts';
import { executeRun, FolderRunStore, resolveRun } from '../src/runs/index.ts';
import { profileOf, type ServerChoice } from '../src/tools/index.ts';
import { median } from './measure.ts';
import { npmServers } from './npm-servers.ts';

const TASKS = 'fixtures/tasks';
const OUT = 'docs/reference/servers-table.md';
/** The others are compared with it. */
const FIRST = 'embedded';
const KNOWN: readonly MeasuredServer[] = [
  { name: FIRST, choice: { server: 'embedded' } },
  { name: 'playwright', choice: { server: 'playwright' } },
  { name: 'chrome-devtools', choice: { server: 'chrome-devtools' } },
];

interface MeasuredServer {
  name: string;
  choice: ServerChoice;
  /** Where the package's version says more than what the server tells of itself. */
  version?: string;
}

interface Episode {
  task: string;
  isPassed: boolean;
  /** Why it did not pass. */
  reason: string;
  steps: number;
  reward: number;
}

interface Row {
  server: string;
  version: string;
  episodes: Episode[];
  calls: number;
  errors: number;
  callMs: number;
  observationMs: number;
  observationChars: number;
}

const { values: flags } = parseArgs({
  options: { write: { type: 'boolean' }, only: { type: 'string', multiple: true } },
});
const servers = [...KNOWN, ...npmServers(flags.only)].filter(
  ({ name }) => name === FIRST || (flags.only?.includes(name) ?? true),
);
const unknown = flags.only?.filter((name) => servers.every((server) => server.name !== name)) ?? [];
if (unknown.length > 0) throw new Error(`No server has the name ${unknown.join(', ')}: see bench/npm-servers.`);
const command = ['npm run bench:servers -- --write', ...(flags.only ?? []).map((name) => `--only ${name}`)].join(' ');
const tasks = await loadTasks([TASKS]);
const rows: Row[] = [];
let product = '';
for (const server of servers) {
  process.stderr.write(`${tasks.length} tasks on ${server.name} …\n`);
  const row = await measure(server);
  rows.push(row);
  process.stderr.write(`${cellsOf(row).join(' | ')}\n`);
}
const table = [
  '# The fixture tasks on every server',
  '',
  `Made by \`${command}\` on ${product}: ${tasks.length} tasks, one after the other, each from the same canonical transcript.`,
  'Milliseconds are medians of one run on one machine: compare them with each other, not with other machines.',
  '',
  '| server | version | passed | steps | reward | as embedded | calls | errors | ms a call | ms an observation | characters an observation |',
  '|---|---|---|---|---|---|---|---|---|---|---|',
  ...rows.map((row) => `| ${cellsOf(row).join(' | ')} |`),
  '',
  'Steps and reward are of the tasks that passed. “As embedded” counts those of them whose steps and reward are the same as on the embedded server.',
  'Calls also count those by which the harness finds an element. An observation is the answer to the server’s tool that shows the page. The servers',
  'after the first three are known by their configuration alone (`bench/npm-servers/*.server.json`): an action that it does not give, or that the server has no tool for, is',
  'not supported, and no failure of an agent.',
  '',
  ...rows.flatMap((row) => remarksOf(row)),
  '',
].join('\n');
console.log(table);
if (flags.write) writeFileSync(OUT, table);
else if (flags.only === undefined && !sameShape(table))
  process.stderr.write(`${OUT} lists other servers or tasks: write it anew with --write\n`);

function cellsOf(row: Row): (string | number)[] {
  const passed = row.episodes.filter(({ isPassed }) => isPassed);
  const same = passed.filter((episode) => differenceOf(episode) === undefined);
  const sum = (field: 'steps' | 'reward'): number => passed.reduce((total, episode) => total + episode[field], 0);
  // A server whose pages are read by another tool was never asked for an observation.
  const rounded = [row.callMs, row.observationMs].map((ms) => (Number.isNaN(ms) ? '–' : ms.toFixed(0)));
  return [
    ...[row.server, row.version, `${passed.length}/${row.episodes.length}`, sum('steps'), sum('reward').toFixed(2)],
    ...[`${same.length}/${passed.length}`, row.calls, row.errors, ...rounded, row.observationChars || '–'],
  ];
}

function remarksOf({ server, episodes }: Row): string[] {
  return episodes.flatMap((episode) => {
    const said = episode.isPassed ? differenceOf(episode) : episode.reason;
    return said === undefined ? [] : [`- ${server}, ${episode.task}: ${said}`];
  });
}

/** How a passed episode differs from that of the same oracle on the embedded server. */
function differenceOf({ task, steps, reward }: Episode): string | undefined {
  const other = rows[0]?.episodes.find((episode) => episode.task === task);
  if (!other?.isPassed || (other.steps === steps && Math.abs(other.reward - reward) < 0.005)) return undefined;
  return `${steps} steps and reward ${reward.toFixed(2)} instead of ${other.steps} and ${other.reward.toFixed(2)}.`;
}

async function measure({ name, choice, version }: MeasuredServer): Promise<Row> {
  const root = mkdtempSync(path.join(tmpdir(), 'waymark-servers-'));
  try {
    const run = await resolveRun({ tasks: [TASKS], server: choice, version: 'bench' });
    using store = new FolderRunStore(root);
    await executeRun(run, {
      store,
      onPoolEvent: (event) => {
        if (event.type === 'browser_started') product = event.product;
      },
    });
    const journals = new Map<string, JournalEvent[]>();
    for (const { caseId, trial } of run.plan.cells) {
      const attempt = { runId: run.plan.runId, caseId, trial, attempt: 1 };
      // What a server does not support is not begun, and has no journal.
      const hasBegun = unsupportedOf(caseId, name) === undefined;
      journals.set(caseId, hasBegun ? await Array.fromAsync(store.events(attempt)) : []);
    }
    return rowOf(name, version, profileOf(choice).observe.tool, journals);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function rowOf(
  server: string,
  version: string | undefined,
  observeTool: string,
  journals: ReadonlyMap<string, JournalEvent[]>,
): Row {
  const events = [...journals.values()].flat();
  const results = ofType(events, 'tool_result');
  const calls = ofType(events, 'tool_call');
  const looks = new Set(calls.filter(({ tool }) => tool === observeTool).map(({ callId }) => callId));
  const observations = results.filter(({ callId, isError }) => looks.has(callId) && !isError);
  const told = ofType(events, 'start').map((start) =>
    start.kind === 'question' ? '' : (start.server.version ?? ''),
  )[0];
  return {
    server,
    version: version ?? told ?? '',
    episodes: [...journals].map(([task, journal]) => episodeOf(task, journal, unsupportedOf(task, server))),
    calls: calls.length,
    errors: results.filter(({ isError }) => isError).length,
    callMs: median(results.map(({ durationMs }) => durationMs)),
    observationMs: median(observations.map(({ durationMs }) => durationMs)),
    observationChars: Math.round(median(observations.map(({ textLength }) => textLength))),
  };
}

/** What the task says of a server that cannot do it. */
function unsupportedOf(taskId: string, server: string): string | undefined {
  return tasks.find(({ task }) => task.id === taskId)?.task.unsupported?.[server];
}

function episodeOf(task: string, journal: readonly JournalEvent[], unsupported: string | undefined): Episode {
  const stop = ofType(journal, 'stop').at(-1);
  const reward = ofType(journal, 'reward').reduce((sum, { score, contribution = score }) => sum + contribution, 0);
  return {
    task,
    isPassed: stop?.status === 'passed',
    reason:
      (stop?.reason ?? unsupported ?? 'The episode did not begin.')
        .replace(/^The agent is done, and the contract does not pass\. ?/, '')
        .split('\n')[0]
        ?.slice(0, 300) ?? '',
    steps: ofType(journal, 'tool_call').filter(isStep).length,
    reward,
  };
}

function ofType<T extends JournalEvent['type']>(events: readonly JournalEvent[], type: T) {
  return events.filter((event): event is Extract<JournalEvent, { type: T }> => event.type === type);
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
