/** `waymark worker`: executes attempts of runs that are in a shared database. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { stateFolder } from '../chromium/index.ts';
import { WaymarkError } from '../errors/index.ts';
import { isAlive, work } from '../runs/index.ts';
import { openArtifacts, openStore } from '../store/index.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { count } from './number-flag.ts';
import { exitBy, takeStopSignals } from './stop-signals.ts';
import { storePlaces } from './store-flags.ts';
import { version } from './version.ts';

const DEFAULT_LEASE_S = 30;
const DEFAULT_DRAIN_S = 600;

export const workerCommand = defineCommand({
  name: 'worker',
  about: [
    'claims attempts of runs that waymark run --database has made, one by one, and executes them on this machine. Any number of workers may share a database.',
    'A worker needs no files of the tasks: they come with the run. Secrets and keys of models are read from its own environment; what it has no value for, it leaves to others.',
    'The first Ctrl-C or SIGTERM: it claims nothing new and finishes what it has. The second: it ends its attempts, which other workers begin again. When it dies, its attempts are begun again after the lease.',
  ].join('\n'),
  flags: {
    database: {
      type: 'string',
      value: '<postgres://…|env>',
      about: 'the PostgreSQL server that is shared. env: take the URL from DATABASE_URL',
    },
    artifacts: {
      type: 'string',
      value: '<folder|s3://…>',
      about:
        'where suites come from and pictures go: s3://bucket/prefix?endpoint=…&region=…, or a folder that all share',
    },
    concurrency: { type: 'string', value: '<n>', about: 'attempts at a time; default 1' },
    labels: { type: 'string', value: '<name,…>', about: 'what this machine has, for runs that ask for it: gpu,eu' },
    lease: {
      type: 'string',
      value: '<seconds>',
      about: `after so long without a word, its attempts are begun again by others; default ${DEFAULT_LEASE_S}`,
    },
    drain: {
      type: 'string',
      value: '<seconds>',
      about: `after the first signal, what it has may take so long; default ${DEFAULT_DRAIN_S}`,
    },
    'exit-when-idle': { type: 'boolean', about: 'end when no run is left, instead of waiting for the next one' },
    json: { type: 'boolean', about: 'print a JSON object for each attempt that has ended, and one at the end' },
  },
  examples: [
    {
      line: 'waymark worker --database env --artifacts s3://team/waymark --concurrency 4',
      does: 'four attempts at a time, until it is stopped',
    },
    {
      line: 'waymark worker --database env --artifacts s3://team/waymark --labels gpu,eu --exit-when-idle',
      does: 'also takes runs that ask for these labels, and ends when all are done',
    },
  ],
  async run(flags, terminal) {
    const say = (line: string): void => void (flags.json || terminal.err(`${line}\n`));
    const leaseMs = 1_000 * (count(flags.lease, 'lease', 3_600) ?? DEFAULT_LEASE_S);
    const stopping = stopInSteps(say, 1_000 * (count(flags.drain, 'drain', 86_400) ?? DEFAULT_DRAIN_S));
    const concurrency = count(flags.concurrency, 'concurrency', 1_000) ?? 1;
    const labels = flags.labels?.split(',').map((label) => label.trim()) ?? [];
    if (flags.database === undefined)
      throw new WaymarkError({
        code: 'usage',
        message: 'A worker needs the database that it shares with others.',
        hint: 'Add --database postgres://…, or --database env with DATABASE_URL. A run on this machine alone needs no worker.',
      });
    const places = storePlaces(flags, terminal);
    await using store = await openStore({ ...places.store, mayUpgrade: false });
    const artifacts = await openArtifacts(places.artifacts);
    using folder = workerFolder();
    say(`waymark ${version()} takes ${concurrency} at a time${labels.length > 0 ? ` (${labels.join(', ')})` : ''}`);
    const counts = await work({
      ...stopping,
      store,
      artifacts,
      version: version(),
      env: terminal.env,
      concurrency,
      labels,
      folder: folder.path,
      leaseMs,
      untilIdle: flags['exit-when-idle'],
      say,
      onAttempt: ({ attempt, status: ended, reason, interrupted }) => {
        const status = interrupted ? 'interrupted' : ended;
        const { caseId, trial, attempt: number } = attempt;
        if (flags.json) terminal.out(`${JSON.stringify({ ...attempt, status })}\n`);
        else say(`${caseId} trial ${trial}${number > 1 ? ` attempt ${number}` : ''}  ${status}${why(status, reason)}`);
      },
    });
    if (flags.json) terminal.out(`${JSON.stringify(counts)}\n`);
    else say(`${counts.attempts} attempts were made here, ${counts.lost} were taken over by other workers`);
    return EXIT.ok;
  },
});

function why(status: string, reason: string): string {
  return status === 'passed' ? '' : `  ${reason.split('\n')[0]}`;
}

/** Once: nothing new. Twice, or after a while: what runs is ended. Three times: at once. */
function stopInSteps(say: (line: string) => void, drainMs: number): { draining: AbortSignal; signal: AbortSignal } {
  const [draining, stopping] = [new AbortController(), new AbortController()];
  takeStopSignals((signal) => {
    if (stopping.signal.aborted) exitBy(signal);
    if (draining.signal.aborted) stopping.abort();
    else {
      say(`${signal}: finishing what is under way; once more to end it`);
      setTimeout(() => stopping.abort(), drainMs).unref();
      draining.abort();
    }
  });
  return { draining: draining.signal, signal: stopping.signal };
}

/** A folder of this process, removed with it; those of workers that were killed are removed too. */
function workerFolder(): Disposable & { path: string } {
  const parent = path.join(stateFolder(), 'workers');
  mkdirSync(parent, { recursive: true });
  for (const name of readdirSync(parent)) {
    if (!isAlive(Number.parseInt(name, 10))) rmSync(path.join(parent, name), { recursive: true, force: true });
  }
  const made = mkdtempSync(path.join(parent, `${process.pid}-`));
  return { path: made, [Symbol.dispose]: () => rmSync(made, { recursive: true, force: true, maxRetries: 3 }) };
}
