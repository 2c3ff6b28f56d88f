/** A browser that we can talk to: one that we started and own, or a remote one that we only visit. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { messageOf, WaymarkError } from '../../errors/index.ts';
import { Connection } from '../cdp/connection.ts';
import { pipeTransport } from '../cdp/pipe-transport.ts';
import { socketTransport } from '../cdp/socket-transport.ts';
import type { BrowserKind, FoundBrowser } from './find-browser.ts';
import { browserFlags } from './flags.ts';
import { endGroup, ProcessEntry } from './process-registry.ts';
import { groupEnded } from './process-table.ts';

const START_TIMEOUT_MS = 20_000;
/** Of the browser's own words, kept for the error when it does not start. */
const STDERR_KEPT = 4_000;

export interface LaunchOptions {
  browser: FoundBrowser;
  resolverRules?: string | undefined;
  extraFlags?: readonly string[] | undefined;
  signal?: AbortSignal | undefined;
}

export interface BrowserIdentity {
  /** e.g. `HeadlessChrome/156.0.8078.79` */
  product: string;
  kind: BrowserKind | 'remote';
  /** The executable's path, or the CDP address. */
  where: string;
}

const running = new Set<Browser>();
// Whatever ends this process, short of a kill -9, its browsers end with it. After a kill -9 the ledger knows them.
process.on('exit', () => {
  for (const browser of running) {
    try {
      browser.endNow();
    } catch {
      // Its profile could not be removed yet; the ledger keeps it for the next start. The others must end all the same.
    }
  }
});

export class Browser {
  readonly connection: Connection;
  readonly identity: BrowserIdentity;
  readonly pid: number | undefined;
  /** Resolves with the reason when the browser is gone. */
  readonly gone: Promise<string>;
  #child: ChildProcess | undefined;
  #entry: ProcessEntry | undefined;
  #exited: Promise<void>;

  private constructor(
    connection: Connection,
    identity: BrowserIdentity,
    owned?: { child: ChildProcess; entry: ProcessEntry },
  ) {
    this.connection = connection;
    this.identity = identity;
    this.#child = owned?.child;
    this.#entry = owned?.entry;
    this.pid = owned?.child.pid;
    this.#exited = owned ? allEnded(owned.child) : Promise.resolve();
    this.gone = connection.closed;
    if (owned) running.add(this);
  }

  /** Starts a browser with a profile of its own, talking over a pipe. */
  static async launch(options: LaunchOptions): Promise<Browser> {
    const entry = new ProcessEntry();
    const flags = browserFlags({
      kind: options.browser.kind,
      profile: entry.profile,
      isRoot: process.getuid?.() === 0,
      resolverRules: options.resolverRules,
      extra: options.extraFlags,
    });
    const child = spawn(options.browser.path, flags, {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      // A group of its own: it ends as a whole, and a Ctrl-C in the terminal reaches us first.
      detached: process.platform !== 'win32',
    });
    const stderr = keepTail(child);
    if (child.pid !== undefined) entry.started(child.pid);
    try {
      const connection = new Connection(pipeTransport(child.stdio[3] as Writable, child.stdio[4] as Readable));
      const failed = new Promise<never>((_, reject) => child.once('error', reject));
      const version = await Promise.race([
        connection.root.send('Browser.getVersion', undefined, { timeoutMs: START_TIMEOUT_MS, signal: options.signal }),
        failed,
      ]);
      const identity: BrowserIdentity = {
        product: version.product,
        kind: options.browser.kind,
        where: options.browser.path,
      };
      return new Browser(connection, identity, { child, entry });
    } catch (cause) {
      if (child.pid !== undefined) {
        endGroup(child.pid);
        await Promise.all([exitOf(child), lastWordsOf(child)]);
      }
      entry.ended();
      throw new WaymarkError({
        code: 'browser_start_failed',
        message: `${options.browser.path} did not start: ${endOf(child) ?? messageOf(cause)}${quoted(stderr())}`,
        hint: 'Try it by hand with --version, or choose another one with --browser or WAYMARK_BROWSER.',
        cause,
      });
    }
  }

  /** Visits a running browser by its CDP address (`ws://…`, or `http://host:port`). It is never closed by us. */
  static async connect(address: string, signal: AbortSignal = AbortSignal.timeout(START_TIMEOUT_MS)): Promise<Browser> {
    const socket = /^wss?:/i.test(address) ? address : await discover(address, signal);
    const connection = new Connection(await socketTransport(socket, signal));
    try {
      const version = await connection.root.send('Browser.getVersion', undefined, { signal });
      return new Browser(connection, { product: version.product, kind: 'remote', where: address });
    } catch (cause) {
      connection.close();
      throw unreachable(address, cause);
    }
  }

  /** Ends the browser (or leaves the remote one) and waits until nothing of it is left. */
  async close(): Promise<void> {
    this.#kill();
    await this.#exited;
    this.#entry?.ended();
    running.delete(this);
  }

  /** What an exit hook can do of close(): all but wait. */
  endNow(): void {
    this.#kill();
    this.#entry?.ended();
  }

  /** A throw-away profile needs no goodbye: SIGKILL is twice as quick. */
  #kill(): void {
    this.connection.close();
    const child = this.#child;
    // Once it has exited its pid may be another's.
    if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null) endGroup(child.pid);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

async function discover(address: string, signal: AbortSignal): Promise<string> {
  try {
    const url = new URL(address);
    // A browser behind a path (a proxy, our own gate) has its discovery there too.
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/json/version`;
    const response = await fetch(url, { signal });
    const body: unknown = await response.json();
    if (typeof body === 'object' && body !== null && 'webSocketDebuggerUrl' in body)
      return String(body.webSocketDebuggerUrl);
    throw new Error('/json/version names no webSocketDebuggerUrl');
  } catch (cause) {
    throw unreachable(address, cause);
  }
}

function unreachable(address: string, cause: unknown): WaymarkError {
  // "fetch failed" says nothing; what it wraps does.
  const why = cause instanceof TypeError && cause.cause instanceof Error ? cause.cause : cause;
  return new WaymarkError({
    code: 'browser_unreachable',
    message: `No browser answers at ${address}: ${messageOf(why).replace(/\.$/, '')}.`,
    hint: 'Start it with --remote-debugging-port, or give the ws:// address of a running one.',
    cause,
  });
}

/** The browser has exited, and so have the renderers and helpers that it started. */
async function allEnded(child: ChildProcess): Promise<void> {
  await exitOf(child);
  if (child.pid === undefined || process.platform === 'win32') return;
  // One that crashed leaves children for a moment; its group's number is not given to anybody else while they live.
  endGroup(child.pid, 'group only');
  await groupEnded(child.pid, 2_000);
}

function exitOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return Promise.resolve();
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

/** How a process ended by itself, in words; not when it was we who killed it. */
function endOf({ exitCode, signalCode }: ChildProcess): string | undefined {
  if (exitCode !== null && exitCode >= 0) return `it ended with exit code ${exitCode}.`;
  return signalCode === null || signalCode === 'SIGKILL' ? undefined : `it was ended by ${signalCode}.`;
}

/** What it said last may still be on its way when it has exited; bounded, because a process that left the group could hold the pipe. */
function lastWordsOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (!child.stderr || child.stderr.readableEnded) return resolve();
    const timer = setTimeout(resolve, 1_000);
    child.stderr.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function keepTail(child: ChildProcess): () => string {
  let kept = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    kept = (kept + chunk.toString()).slice(-STDERR_KEPT);
  });
  return () => kept.trim();
}

function quoted(text: string): string {
  return text === '' ? '' : `\nIt said: ${text}`;
}
