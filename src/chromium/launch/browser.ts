/** A browser with a CDP connection: one that the harness started and owns, or a remote one that it only connects to. */
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
/** How much of the browser's stderr is kept for the error message when it does not start. */
const STDERR_KEPT = 4_000;

export interface LaunchOptions {
  browser: FoundBrowser;
  resolverRules?: string | undefined;
  /** With windows that people see. */
  headed?: boolean | undefined;
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
// When this process ends, its browsers end with it, except after a kill -9. Then the process registry lists them.
process.on('exit', () => {
  for (const browser of running) {
    try {
      browser.endNow();
    } catch {
      // Its profile could not be removed yet. The registry keeps it for the next start, and the other browsers must still be ended.
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

  /** Starts a browser with its own profile and connects to it over a pipe. */
  static async launch(options: LaunchOptions): Promise<Browser> {
    const entry = new ProcessEntry();
    const flags = browserFlags({
      kind: options.browser.kind,
      profile: entry.profile,
      isRoot: process.getuid?.() === 0,
      headed: options.headed,
      resolverRules: options.resolverRules,
      extra: options.extraFlags,
    });
    const child = spawn(options.browser.path, flags, {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      // Its own process group, so that it can be killed as a whole and a Ctrl-C in the terminal reaches only this process.
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
        hint: 'Run it with --version to check it, or choose another browser with --browser or WAYMARK_BROWSER.',
        cause,
      });
    }
  }

  /** Connects to a running browser by its CDP address (`ws://…` or `http://host:port`). The harness never closes it. */
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

  /** Ends the browser (or disconnects from a remote one) and waits until none of its processes is left. */
  async close(): Promise<void> {
    this.#kill();
    await this.#exited;
    this.#entry?.ended();
    running.delete(this);
  }

  /** The synchronous part of `close`, for an exit hook. */
  endNow(): void {
    this.#kill();
    this.#entry?.ended();
  }

  /** The profile is temporary, so nothing needs to be saved, and SIGKILL is twice as fast. */
  #kill(): void {
    this.connection.close();
    const child = this.#child;
    // After the exit, the pid may belong to another process.
    if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null) endGroup(child.pid);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

async function discover(address: string, signal: AbortSignal): Promise<string> {
  try {
    const url = new URL(address);
    // A browser behind a path (a proxy, our own gate) has its discovery under that path too.
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
  // "fetch failed" does not say why; its cause does.
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
  // A crashed browser leaves children for a moment. The group id is not reused while one of them lives.
  endGroup(child.pid, 'group only');
  await groupEnded(child.pid, 2_000);
}

function exitOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return Promise.resolve();
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

/** Describes how a process ended by itself; undefined when the harness killed it. */
function endOf({ exitCode, signalCode }: ChildProcess): string | undefined {
  if (exitCode !== null && exitCode >= 0) return `it ended with exit code ${exitCode}.`;
  return signalCode === null || signalCode === 'SIGKILL' ? undefined : `it was ended by ${signalCode}.`;
}

/** Waits for the last output, which may arrive after the exit. The wait is bounded, because a process that left the group could keep the pipe open. */
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
