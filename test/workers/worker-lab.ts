/**
 * Machines for tests of workers: each is a process with a folder, a home, a temporary folder and a state folder of its own. They share a
 * PostgreSQL server and a bucket, and nothing else.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findBrowser, processesWith } from '../../src/chromium/index.ts';
import { type Artifacts, openArtifacts, openStore, type Store } from '../../src/store/index.ts';
import { type Ended, plainEnvironment, runProcess } from '../repository/run-process.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startS3, type TestS3 } from '../support/s3.ts';

const MAIN = path.resolve(import.meta.dirname, '../../src/cli/main.ts');

export interface WorkerProcess {
  readonly child: ChildProcess;
  /** What it has said until now. */
  said(): string;
  readonly exited: Promise<[number | null, NodeJS.Signals | null]>;
}

export class WorkerLab implements AsyncDisposable {
  // Short names: sockets are made below it, and a socket's path has little room.
  readonly folder = mkdtempSync(path.join(tmpdir(), 'wm-'));
  readonly postgres: TestPostgres;
  readonly s3: TestS3;
  readonly #started: ChildProcess[] = [];
  #machines = 0;

  private constructor(postgres: TestPostgres, s3: TestS3) {
    this.postgres = postgres;
    this.s3 = s3;
  }

  static async open(): Promise<WorkerLab> {
    const [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
    return new WorkerLab(postgres, s3);
  }

  /** A database and a part of the bucket that no other test uses. */
  async place(name: string): Promise<Place> {
    const database = await this.postgres.database(name);
    return new Place(this, database, this.s3.address.replace('?', `/${name}?`));
  }

  machine(changes: NodeJS.ProcessEnv): { cwd: string; env: NodeJS.ProcessEnv } {
    const cwd = path.join(this.folder, `m${++this.#machines}`);
    for (const name of ['h', 't', 's']) mkdirSync(path.join(cwd, name), { recursive: true });
    const own = { HOME: path.join(cwd, 'h'), TMPDIR: path.join(cwd, 't'), WAYMARK_STATE_DIR: path.join(cwd, 's') };
    // A machine has its browser installed; some installations are in the home of the user.
    const browser = findBrowser()?.path;
    return {
      cwd,
      env: plainEnvironment({ ...own, ...this.s3.keys, WAYMARK_BROWSER: browser, NO_COLOR: '1', ...changes }),
    };
  }

  start(args: readonly string[], changes: NodeJS.ProcessEnv): WorkerProcess {
    const child = spawn(process.execPath, [MAIN, ...args], {
      ...this.machine(changes),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#started.push(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    return { child, said: () => said, exited: once(child, 'exit') as WorkerProcess['exited'] };
  }

  run(args: readonly string[], changes: NodeJS.ProcessEnv): Promise<Ended> {
    return runProcess(process.execPath, [MAIN, ...args], this.machine(changes));
  }

  /** Processes of any machine that are still there. */
  left(): string[] {
    return processesWith(this.folder)
      .filter(({ pid }) => pid !== process.pid)
      .map(({ commandLine }) => commandLine.slice(0, 200));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#started) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }
    await this.postgres.stop();
    await this.s3[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

export class Place {
  readonly database: string;
  readonly artifacts: string;
  readonly #lab: WorkerLab;

  constructor(lab: WorkerLab, database: string, artifacts: string) {
    this.#lab = lab;
    this.database = database;
    this.artifacts = artifacts;
  }

  get flags(): string[] {
    return ['--database', 'env', '--artifacts', this.artifacts];
  }

  /** `waymark worker …` on a machine of its own. */
  worker(flags: readonly string[] = [], env: NodeJS.ProcessEnv = {}): WorkerProcess {
    return this.#lab.start(['worker', ...this.flags, ...flags], { DATABASE_URL: this.database, ...env });
  }

  /** Any command, to its end. */
  async waymark(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return this.#lab.run([...args, ...this.flags], { DATABASE_URL: this.database, ...env });
  }

  /** `waymark run --detach`. @returns the id of the run. */
  async begin(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
    const { code, out, err } = await this.waymark(['run', ...args, '--detach', '--json'], env);
    if (code !== 0) throw new Error(`waymark run ended with ${code}: ${out}${err}`);
    return (JSON.parse(out) as { runId: string }).runId;
  }

  async open(): Promise<{ store: Store; artifacts: Artifacts } & AsyncDisposable> {
    const store = await openStore({ database: this.database });
    // The keys of the bucket are read from the environment of this process.
    Object.assign(process.env, this.#lab.s3.keys);
    const artifacts = await openArtifacts(this.artifacts);
    return { store, artifacts, [Symbol.asyncDispose]: () => store.close() };
  }
}
