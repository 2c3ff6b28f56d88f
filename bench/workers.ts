/**
 * `npm run bench:workers [-- --episodes 40] [--cells 1000] [--claimers 50] [--writers 50] [--seconds 5] [--json]`: what the queue costs an
 * episode in real Chromium (PostgreSQL and an S3 server on this machine), how many claims and events a second the database takes, and what
 * bounds them. Statements and processor times hardly depend on what else the machine does; the times that pass do. PostgreSQL runs without fsync, as in the tests: a disk that syncs makes each commit wait for it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Browser, ensureBrowser, Pool } from '../src/chromium/index.ts';
import type { ExecuteOptions, RunProgress } from '../src/runs/execution.ts';
import {
  type Claim,
  createWorkRun,
  DatabaseRunStore,
  executeRun,
  FolderRunStore,
  newRunId,
  resolveRun,
  resolveWorkRun,
} from '../src/runs/index.ts';
import type { TaskRun } from '../src/runs/resolve-tasks.ts';
import { startSuiteFixture } from '../src/runs/suite-fixture.ts';
import { claimsAhead } from '../src/runs/workers/claims-ahead.ts';
import { openArtifacts, openStore, type Store } from '../src/store/index.ts';
import { note, planOf, startOf } from '../test/runs/attempts.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { startS3 } from '../test/support/s3.ts';
import { makeSuite } from '../test/workers/made-suite.ts';
import { countStatements } from './count-statements.ts';
import { type BenchRow, median, printTable } from './measure.ts';
import { cpuSecondsBelow, machineCpuSeconds } from './process-usage.ts';

/** Of episodes in turns. */
const ROUNDS = 4;

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

/**
 * Episodes into a folder and into the database, some of each in turns. What the queue costs is what the seat of an attempt waits for: the
 * claim, and the writer. The end of an attempt with its last upload is written while the next one runs.
 */
async function episodeCost(database: string): Promise<BenchRow[]> {
  const trials = Math.max(1, Math.ceil(Number(values.episodes) / ROUNDS));
  const suite = makeSuite(path.join(folder, 'suite'), [{ id: 'episode' }]);
  const choices = { tasks: [suite], trials, version: 'bench' };
  await using store = await openStore({ database });
  const artifacts = await openArtifacts(s3.address);
  await using fixture = await startSuiteFixture([suite]);
  const { resolverRules } = fixture;
  const browser = ensureBrowser(() => {});
  await using pool = new Pool({
    slots: 1,
    start: () => Browser.launch({ browser, ...(resolverRules ? { resolverRules } : {}) }),
  });
  const browsers = { ...fixture, pool };
  const inFolder: Measured = { episodes: [], cpuMs: 0 };
  const inDatabase: Measured = { episodes: [], cpuMs: 0 };
  const waits: Waits = { seat: [], claim: [], open: [], finish: [] };
  using statements = countStatements();
  let sent = new Map<string, number>();
  // The first one starts the browser, and is not counted.
  for (let round = 0; round <= ROUNDS; round++) {
    const local = await resolveRun(choices);
    using files = new FolderRunStore(path.join(folder, `run-${round}`));
    await measured(local, { store: files, browsers }, round === 0 ? undefined : inFolder);
    const run = await resolveWorkRun(choices);
    await createWorkRun({ store, artifacts }, run, { choices });
    const runs = new DatabaseRunStore({ store, artifacts, folder: path.join(folder, 'attempts') });
    if (round === 1) statements.reset();
    const timed = timedStore(runs, round === 0 ? undefined : waits);
    const claims = () => claimsOf(timed, run.plan.runId, round === 0 ? undefined : waits);
    const before = new Map(statements.counts);
    await measured(
      run,
      { store: timed, browsers, isShared: true, claims, end: async () => {} },
      round === 0 ? undefined : inDatabase,
    );
    if (round > 0) sent = added(sent, before, statements.counts);
  }
  const episodes = inDatabase.episodes.length;
  const episode = median(inDatabase.episodes);
  const queue = median(waits.seat) + median(waits.open);
  const perEpisode = [...sent]
    .filter(([kind]) => kind !== 'other')
    .map(([kind, count]) => [kind, count / episodes] as const);
  return [
    { name: 'an episode of three steps with pictures, into a folder', value: median(inFolder.episodes), unit: 'ms' },
    { name: 'the same into database and bucket', value: episode, unit: 'ms', note: 'in turns with the folder' },
    { name: 'of which its slot waits for the queue', value: queue, unit: 'ms', note: 'for its claim, and to open it' },
    { name: 'share of the episode', value: (100 * queue) / episode, unit: '%', goal: 2 },
    { name: 'claimed while the one before runs', value: median(waits.claim), unit: 'ms' },
    { name: 'written while the next one runs', value: median(waits.finish), unit: 'ms', note: 'last upload and end' },
    {
      name: 'statements for an episode',
      value: perEpisode.reduce((sum, [, count]) => sum + count, 0),
      unit: '',
      note: perEpisode.map(([kind, count]) => `${kind} ${count.toFixed(1)}`).join(', '),
    },
    {
      name: 'processor time of the worker for an episode, folder',
      value: inFolder.cpuMs / inFolder.episodes.length,
      unit: 'ms',
    },
    {
      name: 'the same for database and bucket',
      value: inDatabase.cpuMs / episodes,
      unit: 'ms',
      note: 'with the S3 server, which runs in this process; without browser and PostgreSQL',
    },
  ];
}

interface Measured {
  episodes: number[];
  cpuMs: number;
}

/** Milliseconds between the ends of attempts, and the processor time of this process. */
async function measured(run: TaskRun, options: ExecuteOptions, into: Measured | undefined): Promise<void> {
  let since = performance.now();
  const cpu = process.cpuUsage();
  const onProgress = ({ status, reason }: RunProgress): void => {
    if (status !== 'passed') throw new Error(`An episode ended with ${status}: ${reason}`);
    into?.episodes.push(performance.now() - since);
    since = performance.now();
  };
  await executeRun(run, { ...options, onProgress });
  const { user, system } = process.cpuUsage(cpu);
  if (into) into.cpuMs += (user + system) / 1_000;
}

/** As a worker claims: one at a time, the next one while one runs, and nothing of a run that has ended. */
async function* claimsOf(
  runs: DatabaseRunStore,
  runId: string,
  waits: Waits | undefined,
): AsyncGenerator<Claim, void, undefined> {
  const claim = async () => (await runs.claim(runId, 'bench', 1, { mayResume: false }))[0];
  const first = await claim();
  if (!first) return;
  const giveBack = async (left: Claim) => void (await runs.giveUp(left));
  const ahead = claimsAhead({ first, claim, giveBack, isOver: () => false, isSoon: () => true });
  for (;;) {
    const asked = performance.now();
    const next = await ahead.next();
    waits?.seat.push(performance.now() - asked);
    if (next.done) return;
    yield next.value;
  }
}

interface Waits {
  /** Of the seat of an attempt, for the next claim. */
  seat: number[];
  claim: number[];
  open: number[];
  finish: number[];
}

function timedStore(store: DatabaseRunStore, waits: Waits | undefined): DatabaseRunStore {
  if (!waits) return store;
  const timed = async <T>(into: number[], work: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    const done = await work();
    into.push(performance.now() - began);
    return done;
  };
  return new Proxy(store, {
    get(_target, name) {
      if (name === 'claim')
        return (...args: Parameters<DatabaseRunStore['claim']>) => timed(waits.claim, () => store.claim(...args));
      if (name === 'open')
        return async (...args: Parameters<DatabaseRunStore['open']>) => {
          const writer = await timed(waits.open, () => store.open(...args));
          const finish = writer.finish.bind(writer);
          writer.finish = () => timed(waits.finish, finish);
          return writer;
        };
      const value: unknown = Reflect.get(store, name, store);
      return typeof value === 'function' ? value.bind(store) : value;
    },
  });
}

function added(
  sum: ReadonlyMap<string, number>,
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): Map<string, number> {
  const kinds = [...after].map(
    ([kind, count]) => [kind, (sum.get(kind) ?? 0) + count - (before.get(kind) ?? 0)] as const,
  );
  return new Map(kinds.filter(([, count]) => count > 0));
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
  const cpu = busyNow();
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
    ...bounds('claim', total, cpu, seconds),
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
  const cpu = busyNow();
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
    ...bounds('event', events, cpu, seconds),
  ];
}

/** Opens all connections before anything is measured. */
async function warm(store: Store, connections: number): Promise<void> {
  await Promise.all(Array.from({ length: connections }, () => store.ping()));
}

interface Busy {
  own: NodeJS.CpuUsage;
  postgres: number;
  machine: number;
}

function busyNow(): Busy {
  return { own: process.cpuUsage(), postgres: cpuSecondsBelow(postgres.pid), machine: machineCpuSeconds() };
}

/** Who was busy: where all cores are taken, the processor time of one piece of work says what a machine of its own would do. */
function bounds(what: string, count: number, before: Busy, seconds: number): BenchRow[] {
  const { user, system } = process.cpuUsage(before.own);
  const own = (user + system) / 1e6;
  const server = cpuSecondsBelow(postgres.pid) - before.postgres;
  const machine = machineCpuSeconds() - before.machine;
  const [more, less] = server > own ? ['PostgreSQL', 'this process'] : ['this process', 'PostgreSQL'];
  const others = 100 * (1 - (own + server) / machine);
  return [
    { name: `processor time of PostgreSQL for each ${what}`, value: (1e6 * server) / count, unit: 'µs' },
    { name: `processor time of this process for each ${what}`, value: (1e6 * own) / count, unit: 'µs' },
    {
      name: 'cores that were busy meanwhile',
      value: machine / seconds,
      unit: `of ${cpus().length}`,
      note: `${others.toFixed(0)} % of that for other processes; of the two, ${more} bounds it, and not ${less}`,
    },
  ];
}
