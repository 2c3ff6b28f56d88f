/**
 * `npm run chaos:workers [-- --episodes 300] [--json]`: three workers that share only PostgreSQL and an S3 server. One is killed by kill -9,
 * one is stopped by SIGTERM, one is paused for a minute; PostgreSQL is restarted once, and S3 answers 503 for a while. Fails where an episode
 * is lost or in the result twice, where a picture is missing, or where a process, a file or an event belongs to nothing.
 */
import { parseArgs } from 'node:util';
import { chaosWorkers } from '../test/workers/chaos-workers.ts';

const { values } = parseArgs({
  options: {
    episodes: { type: 'string', default: '300' },
    concurrency: { type: 'string', default: '2' },
    json: { type: 'boolean', default: false },
  },
});
const TASKS = 10;
const counts = await chaosWorkers({
  workers: 3,
  concurrency: Number(values.concurrency),
  tasks: TASKS,
  trials: Math.max(1, Math.round(Number(values.episodes) / TASKS)),
  waitMs: 500,
  leaseSeconds: 30,
  troubles: [
    { at: 0.1, pause: 2, ms: 60_000 },
    { at: 0.2, fail: 's3', ms: 20_000 },
    { at: 0.35, restart: 'postgres' },
    { at: 0.5, kill: 0 },
    { at: 0.65, terminate: 1 },
  ],
  onLine: (line) => process.stderr.write(`${line}\n`),
});
if (values.json) console.log(JSON.stringify(counts, null, 2));
else
  console.log(
    [
      `${counts.workers} workers for ${counts.minutes.toFixed(1)} minutes: ${counts.killed} killed, ${counts.terminated} stopped by SIGTERM, ${counts.paused} paused for a minute; PostgreSQL restarted ${counts.restarts} time; S3 let ${counts.s3Failed} requests fail`,
      `${counts.episodes} episodes, each in the result once (${counts.passed} passed); ${counts.attempts} attempts, ${counts.torn} of them cut off and kept; ${counts.lost} times a worker learnt that another one had taken over`,
      `${counts.pictures} pictures, all there; nothing lost, no file or event without an attempt, no process left`,
    ].join('\n'),
  );
