/**
 * `npm run bench:web [-- --episodes 500] [--slots 4] [--browser shell|chrome|path]`: how long an instance of Waymark Web takes to make, and
 * oracles of mixed tasks, several at once, on one server. Each oracle passes only if the state has its own changes and no others: a change that
 * leaked from one instance into another fails one of them. Ends with 1 where one fails.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parseSeeds, writeInstances } from '../src/cases/index.ts';
import { Browser, findBrowser, Pool } from '../src/chromium/index.ts';
import { executeRun, FolderRunStore, resolveRun, writeReports } from '../src/runs/index.ts';
import { Visitor } from '../suites/shared/visitor.ts';
import { type BenchRow, median, printTable, timed } from './measure.ts';

const { values } = parseArgs({
  options: {
    episodes: { type: 'string', default: '500' },
    slots: { type: 'string', default: '4' },
    browser: { type: 'string' },
  },
});
const [episodes, slots] = [Number(values.episodes), Number(values.slots)];
const SUITE = path.resolve(import.meta.dirname, '../suites/waymark-web');
const SITES = ['calendar', 'desk', 'mail', 'shop', 'tracker', 'wiki'];

const child = fork(path.join(import.meta.dirname, 'web-server-child.ts'));
const folder = mkdtempSync(path.join(tmpdir(), 'waymark-bench-web-'));
try {
  const [server] = (await once(child, 'message')) as [
    { port: number; hosts: string[]; stateHeaders: Record<string, string> },
  ];
  printTable('An instance: its first request and the first page of a site', await resets(server.port));
  const failed = await manyEpisodes(server);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  child.disconnect();
  rmSync(folder, { recursive: true, force: true });
}

async function memory(): Promise<{ heapMiB: number; instances: number }> {
  child.send('memory');
  const [figures] = await once(child, 'message');
  return figures;
}

/** Of seeds that the server has not seen, and of seeds that it has. */
async function resets(port: number): Promise<BenchRow[]> {
  const begin = async (seed: number): Promise<number> => {
    const who = new Visitor(port, `${SITES[seed % SITES.length]}.waymark.test`);
    const ms = await timed(async () => {
      await who.get(`/?seed=${seed}`);
      await who.get('/');
    });
    who.leave();
    return ms;
  };
  const times: Record<'new' | 'known', number[]> = { new: [], known: [] };
  for (let seed = 1_000; seed < 1_120; seed++) times.new.push(await begin(seed));
  for (let seed = 1_090; seed < 1_120; seed++) times.known.push(await begin(seed));
  return [
    { name: 'of a new seed, median', value: median(times.new.slice(20)), unit: 'ms', goal: 10 },
    { name: 'of a known seed, median', value: median(times.known), unit: 'ms', goal: 10 },
  ];
}

async function manyEpisodes(server: {
  port: number;
  hosts: string[];
  stateHeaders: Record<string, string>;
}): Promise<number> {
  const browser = findBrowser({ wanted: values.browser });
  if (!browser) throw new Error('No browser was found.');
  await writeInstances(SUITE, parseSeeds('0..9'), path.join(folder, 'tasks'));
  const resolverRules = server.hosts.map((host) => `MAP ${host} 127.0.0.1:${server.port}`).join(', ');
  await using pool = new Pool({ slots, start: () => Browser.launch({ browser, resolverRules }) });
  const run = await resolveRun({
    tasks: [path.join(folder, 'tasks')],
    sample: episodes,
    concurrency: slots,
    screenshots: false,
    allowGuarded: true,
    version: 'bench',
  });
  using store = new FolderRunStore(path.join(folder, 'run'));
  const every = Math.max(1, Math.floor(episodes / 5));
  const rows: BenchRow[] = [];
  let done = 0;
  const ms = await timed(async () => {
    await executeRun(run, {
      store,
      browsers: {
        pool,
        allowHosts: server.hosts,
        stateHeaders: new Map(server.hosts.map((host) => [host, server.stateHeaders])),
      },
      onProgress: async () => {
        if (++done % every !== 0) return;
        const { heapMiB, instances } = await memory();
        rows.push({ name: `after ${done} episodes`, value: heapMiB, unit: 'MiB', note: `${instances} instances` });
      },
    });
  });
  printTable('Heap of the server of the sites', rows);
  const verdicts = await deciding(run.plan.cells.length);
  console.log(
    `\n${verdicts.passed} of ${run.plan.cells.length} oracles passed, ${slots} at once, in ${(ms / 1000).toFixed(0)} s`,
  );
  for (const line of verdicts.failed) console.log(`  ${line}`);
  return verdicts.failed.length;
}

async function deciding(total: number): Promise<{ passed: number; failed: string[] }> {
  const failed: string[] = [];
  let passed = 0;
  await writeReports(path.join(folder, 'run'), {
    onResult: ({ success, taskId, outcome, reason }) => {
      if (success) passed++;
      else failed.push(`${taskId}: ${outcome}. ${reason}`);
    },
  });
  if (passed + failed.length < total) failed.push(`${total - passed - failed.length} episodes have no result.`);
  return { passed, failed };
}
