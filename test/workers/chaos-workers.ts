/** Workers that are killed, stopped and paused, a database that is restarted, a bucket that fails: every episode is in the result once. */
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Store } from '../../src/store/index.ts';
import { type CheckedWork, checkWork } from './check-work.ts';
import { makeSuite } from './made-suite.ts';
import { WorkerLab, type WorkerProcess } from './worker-lab.ts';

/** What goes wrong, when so many of all episodes (0 to 1) have ended. */
export type Trouble =
  | { at: number; kill: number }
  | { at: number; terminate: number }
  | { at: number; pause: number; ms: number }
  | { at: number; restart: 'postgres' }
  | { at: number; fail: 's3'; ms: number };

export interface WorkerChaosChoices {
  readonly workers: number;
  readonly concurrency: number;
  readonly tasks: number;
  readonly trials: number;
  /** How long each episode waits in its middle. */
  readonly waitMs: number;
  readonly leaseSeconds: number;
  readonly troubles: readonly Trouble[];
  readonly onLine?: (line: string) => void;
}

export interface WorkerChaosCounts extends CheckedWork {
  workers: number;
  killed: number;
  terminated: number;
  paused: number;
  restarts: number;
  /** Requests that the bucket let fail, and those it refused for their signature. */
  s3Failed: number;
  s3Refused: number;
  /** Attempts that workers say they lost to others. */
  lost: number;
  minutes: number;
}

const SILENT_MS = 300_000;

export async function chaosWorkers(choices: WorkerChaosChoices): Promise<WorkerChaosCounts> {
  const began = performance.now();
  const say = choices.onLine ?? (() => {});
  await using lab = await WorkerLab.open();
  const place = await lab.place('chaos');
  const tasks = Array.from({ length: choices.tasks }, (_, index) => ({
    id: `case-${index + 1}`,
    waitMs: choices.waitMs,
  }));
  const suite = makeSuite(path.join(lab.folder, 'suite'), tasks);
  const runId = await place.begin([suite, '--trials', String(choices.trials)]);
  const flags = ['--concurrency', String(choices.concurrency), '--lease', String(choices.leaseSeconds)];
  const workers = Array.from({ length: choices.workers }, () => place.worker(flags));
  await using opened = await place.open();
  const total = choices.tasks * choices.trials;
  const counts = { killed: 0, terminated: 0, paused: 0, restarts: 0 };
  const pauses: Promise<void>[] = [];
  for (const trouble of choices.troubles.toSorted((a, b) => a.at - b.at)) {
    const ended = await untilEnded(opened.store, runId, Math.floor(trouble.at * total), workers);
    say(`${ended} of ${total} have ended: ${JSON.stringify(trouble)}`);
    if ('kill' in trouble) counts.killed += await kill(opened.store, runId, workers[trouble.kill]);
    else if ('terminate' in trouble) counts.terminated += send(workers[trouble.terminate], 'SIGTERM');
    else if ('pause' in trouble) {
      counts.paused += send(workers[trouble.pause], 'SIGSTOP');
      pauses.push(wait(trouble.ms).then(() => void send(workers[trouble.pause], 'SIGCONT')));
    } else if ('restart' in trouble) {
      await lab.postgres.restart();
      counts.restarts++;
    } else {
      lab.s3.fail(503, Number.POSITIVE_INFINITY);
      pauses.push(wait(trouble.ms).then(() => lab.s3.fail(503, 0)));
    }
  }
  await Promise.all(pauses);
  const ended = await untilEnded(opened.store, runId, total, workers, true);
  say(`${ended} of ${total} have ended, and the run`);
  let lost = 0;
  for (const worker of workers) {
    send(worker, 'SIGTERM');
    const [code, signal] = await worker.exited;
    if (signal !== 'SIGKILL' && code !== 0)
      throw new Error(`A worker ended with ${code}:\n${worker.said().slice(-3_000)}`);
    lost += (worker.said().match(/ {2}lost {2}/g) ?? []).length;
  }
  const checked = await checkWork(opened, runId, lab.folder);
  const left = lab.left();
  if (left.length > 0) throw new Error(`Processes are left: ${left.join('\n')}`);
  return {
    ...checked,
    ...counts,
    workers: choices.workers,
    s3Failed: lab.s3.counts.failed,
    s3Refused: lab.s3.counts.refused,
    lost,
    minutes: (performance.now() - began) / 60_000,
  };
}

/** While it has an attempt under way, whose events are in the database: what is cut off then stays. */
async function kill(store: Store, runId: string, worker: WorkerProcess | undefined): Promise<number> {
  const mark = `%-${worker?.child.pid}-%`;
  await poll(async () => {
    const { rows } = await store.db.execute(sql`
      select 1 from cell c join attempt_event e on e.run_id = c.run_id and e.case_id = c.case_id and e.trial = c.trial
      where c.run_id = ${runId} and c.state = 'running' and c.worker like ${mark} and e.attempt = c.attempts limit 1`);
    return rows.length > 0;
  }, 5);
  return send(worker, 'SIGKILL');
}

function send(worker: WorkerProcess | undefined, signal: NodeJS.Signals): number {
  return worker?.child.kill(signal) ? 1 : 0;
}

async function untilEnded(
  store: Store,
  runId: string,
  count: number,
  workers: readonly WorkerProcess[],
  isWhole = false,
): Promise<number> {
  let ended = 0;
  let since = performance.now();
  await poll(async () => {
    const { rows } = await store.db
      .execute<{ n: number; status: string }>(
        sql`select count(*) filter (where c.state = 'finished')::int as n, min(r.status) as status
          from cell c join run r on r.id = c.run_id where c.run_id = ${runId}`,
      )
      // It is being restarted.
      .catch(() => ({ rows: [] }));
    const n = rows[0]?.n ?? ended;
    if (n !== ended) since = performance.now();
    ended = n;
    if (performance.now() - since > SILENT_MS)
      throw new Error(
        `Nothing ends any more:\n${workers.map((worker) => worker.said().slice(-2_000)).join('\n---\n')}`,
      );
    return isWhole ? rows[0]?.status === 'completed' : ended >= count;
  }, 50);
  return ended;
}

async function poll(isSo: () => Promise<boolean>, everyMs: number): Promise<void> {
  while (!(await isSo())) await wait(everyMs);
}
