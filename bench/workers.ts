/**
 * `npm run bench:workers [-- --episodes 40] [--cells 1000] [--claimers 50] [--writers 50] [--seconds 5] [--json]`: what the queue costs an
 * episode in real Chromium (PostgreSQL and an S3 server on this machine), how many claims and events a second the database takes, and who is
 * busy meanwhile. PostgreSQL runs without fsync, as in the tests: a disk that syncs makes each commit wait for it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  createWorkRun,
  DatabaseRunStore,
  executeRun,
  newRunId,
  type RunStore,
  resolveWorkRun,
} from '../src/runs/index.ts';
import { openArtifacts, openStore, type Store } from '../src/store/index.ts';
import { note, planOf, startOf } from '../test/runs/attempts.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { startS3 } from '../test/support/s3.ts';
import { makeSuite } from '../test/workers/made-suite.ts';
import { type BenchRow, median, printTable } from './measure.ts';

const { values } = parseArgs({
  options: {
    episodes: { type: 'string', default: '40' },
    cells: { type: 'string', default: '1000' },
    claimers: { type: 'string', default: '50' },
    writers: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
});

const folder = mkdtempSync(path.join(tmpdir(), 'waymark-bench-workers-'));
const postgres = await startPostgres();
const s3 = await startS3();
Object.assign(process.env, s3.keys);
try {
  const database = await postgres.database('bench');
  const rows: BenchRow[] = [];
  rows.push(...(await episodeCost(database)));
  rows.push(...(await claimRate(database)));
  rows.push(...(await eventRate(database)));
  if (values.json) console.log(JSON.stringify(rows, null, 2));
  else printTable('workers', rows);
} finally {
  await postgres.stop();
  await s3[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
}

/** The time that a lane waits for its store, beside the time of the whole episode. */
async function episodeCost(database: string): Promise<BenchRow[]> {
  const suite = makeSuite(path.join(folder, 'suite'), [{ id: 'episode' }]);
  const choices = { tasks: [suite], trials: Number(values.episodes), version: 'bench' };
  const run = await resolveWorkRun(choices);
  await using store = await openStore({ database });
  const artifacts = await openArtifacts(s3.address);
  await createWorkRun({ store, artifacts }, run, { choices });
  const waited = new Map<number, number>();
  const took: number[] = [];
  const runs = timedStore(new DatabaseRunStore({ store, artifacts, folder: path.join(folder, 'attempts') }), waited);
  let since = performance.now();
  await executeRun(run, {
    store: runs,
    onProgress: () => {
      took.push(performance.now() - since);
      since = performance.now();
    },
  });
  // The first one starts the browser.
  const queue = median([...waited].filter(([trial]) => trial > 1).map(([, ms]) => ms));
  const episode = median(took.slice(1));
  return [
    { name: 'an episode of three steps with pictures', value: episode, unit: 'ms' },
    {
      name: 'of which it waits for queue and artifacts',
      value: queue,
      unit: 'ms',
      note: 'claim, begin, finish with the last upload',
    },
    { name: 'share of such an episode', value: (100 * queue) / episode, unit: '%' },
    { name: 'share of an episode of 30 s', value: (100 * queue) / 30_000, unit: '%', goal: 2 },
  ];
}

/** By trial: what claim, open and finish took together. */
function timedStore(store: DatabaseRunStore, waited: Map<number, number>): RunStore {
  const add = async <T>(trial: number | undefined, work: () => Promise<T>, trialOf = (_: T) => trial): Promise<T> => {
    const began = performance.now();
    const done = await work();
    const of = trialOf(done) ?? 0;
    waited.set(of, (waited.get(of) ?? 0) + performance.now() - began);
    return done;
  };
  return new Proxy(store as RunStore, {
    get(_target, name) {
      if (name === 'claim')
        return (runId: string, worker: string, count: number) =>
          add(
            undefined,
            () => store.claim(runId, worker, count),
            ([claim]) => claim?.attempt.trial,
          );
      if (name === 'open')
        return async (...args: Parameters<RunStore['open']>) => {
          const { trial } = args[0].attempt;
          const writer = await add(trial, () => store.open(...args));
          const finish = writer.finish.bind(writer);
          writer.finish = () => add(trial, finish);
          return writer;
        };
      const value: unknown = Reflect.get(store, name, store);
      return typeof value === 'function' ? value.bind(store) : value;
    },
  });
}

/** Each claimer as a process would be: a store of its own, and a connection. */
async function claimRate(database: string): Promise<BenchRow[]> {
  const claimers = Number(values.claimers);
  await using store = await openStore({ database, connections: claimers });
  const artifacts = await openArtifacts(s3.address);
  const plan = planOf(Array.from({ length: Number(values.cells) }, (_, index) => `case-${index}`));
  await new DatabaseRunStore({ store, artifacts }).create(plan);
  await warm(store, claimers);
  const times: number[] = [];
  const cpu = process.cpuUsage();
  const began = performance.now();
  const claimed = await Promise.all(
    Array.from({ length: claimers }, async (_, index) => {
      const runs = new DatabaseRunStore({ store, artifacts });
      for (let count = 0; ; count++) {
        const asked = performance.now();
        const [claim] = await runs.claim(plan.runId, `claimer-${index}`, 1, { mayResume: false });
        times.push(performance.now() - asked);
        if (!claim) return count;
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  const total = claimed.reduce((sum, count) => sum + count, 0);
  if (total !== plan.cells.length) throw new Error(`${total} claims of ${plan.cells.length} cells.`);
  return [
    { name: `claims with ${values.cells} waiting and ${claimers} claimers`, value: total / seconds, unit: 'per s' },
    { name: 'one of them takes', value: median(times), unit: 'ms' },
    {
      name: 'this process meanwhile',
      value: cpuShare(cpu, seconds),
      unit: '% CPU',
      note: 'of one core; the rest is PostgreSQL',
    },
  ];
}

async function eventRate(database: string): Promise<BenchRow[]> {
  const writers = Number(values.writers);
  await using store = await openStore({ database, connections: writers });
  const artifacts = await openArtifacts(s3.address);
  const runs = new DatabaseRunStore({ store, artifacts });
  const plan = { ...planOf(Array.from({ length: writers }, (_, index) => `case-${index}`)), runId: newRunId() };
  await runs.create(plan);
  await warm(store, writers);
  const claims = await runs.claim(plan.runId, 'writer', writers);
  const end = performance.now() + 1000 * Number(values.seconds);
  const cpu = process.cpuUsage();
  const began = performance.now();
  let events = 0;
  await Promise.all(
    claims.map(async (claim) => {
      await using writer = await runs.open(claim);
      writer.append(startOf(claim.attempt));
      while (performance.now() < end) {
        for (let count = 0; count < 10; count++) writer.append(note('x'.repeat(400)));
        await writer.flush();
        events += 10;
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  return [
    {
      name: `events into the database, ${writers} attempts at once, ten a batch`,
      value: events / seconds,
      unit: 'per s',
    },
    {
      name: 'this process meanwhile',
      value: cpuShare(cpu, seconds),
      unit: '% CPU',
      note: 'of one core; the rest is PostgreSQL',
    },
  ];
}

/** Opens all connections before anything is measured. */
async function warm(store: Store, connections: number): Promise<void> {
  await Promise.all(Array.from({ length: connections }, () => store.ping()));
}

function cpuShare(before: NodeJS.CpuUsage, seconds: number): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e4 / seconds;
}
