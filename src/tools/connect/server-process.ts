/**
 * A server as a child process, as an MCP transport. The SDK's stdio transport starts it in our process group and reports its end
 * only when every holder of its pipes has ended. Here a killed server is noticed at once, and its children end with it.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { cleanEnvironment } from './environment.ts';
import { FinalOutput } from './final-output.ts';
import { LineReader } from './line-reader.ts';
import { ProcessFolder } from './process-folder.ts';
import { groupGone, signalGroup } from './process-group.ts';
import { readMessage } from './read-message.ts';
import type { StdioSpec } from './server-spec.ts';

const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** How long a server may take to end after its input is closed, and again after SIGTERM. Then it gets SIGKILL. */
const GOODBYE_MS = 1_000;
const TERM_MS = 500;
/** How long to wait for the last output, which may arrive after the exit. */
const LAST_WORDS_MS = 150;

const running = new Set<ServerProcess>();
// When this process ends, its servers end with it. After a kill -9 their input closes, and the next start removes their folders.
process.on('exit', () => {
  for (const server of running) server.endNow();
});

export class ServerProcess implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly words = new FinalOutput();
  /** A description of how the process ended. */
  readonly ended: Promise<string>;
  readonly folder = new ProcessFolder();
  #spec: StdioSpec;
  #child: ChildProcessByStdio<Writable, Readable, Readable> | undefined;
  #isOver = false;
  #end: (reason: string) => void;
  #closing: Promise<void> | undefined;

  constructor(spec: StdioSpec) {
    this.#spec = spec;
    const { promise, resolve } = Promise.withResolvers<string>();
    this.ended = promise;
    this.#end = (reason) => {
      if (this.#isOver) return;
      this.#isOver = true;
      resolve(reason);
      this.onclose?.();
    };
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): Promise<void> {
    const { command, args = [], env, cwd = this.folder.work } = this.#spec;
    const [file, ...rest] = this.folder.marked([command, ...args]);
    const child = spawn(file, rest, {
      cwd,
      env: cleanEnvironment(this.folder.home, this.folder.temporary, env),
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#child = child;
    running.add(this);
    const reader = new LineReader(MAX_MESSAGE_BYTES, (line) => this.#onLine(line));
    child.stdout.on('data', (chunk: Buffer) => {
      if (reader.add(chunk)) return;
      child.stdout.destroy();
      this.#lose(`sent a message of more than ${MAX_MESSAGE_BYTES / 1024 / 1024} MB`);
    });
    child.stderr.on('data', (chunk: Buffer) => this.words.add(chunk));
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      stream.on('error', (error) => this.onerror?.(error));
    }
    child.stdout.once('end', () => this.#onSilence(child));
    child.once('exit', (code, signal) => {
      const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
      const timer = setTimeout(() => this.#lose(how), LAST_WORDS_MS);
      child.once('close', () => {
        clearTimeout(timer);
        this.#lose(how);
      });
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    child.once('error', (error) => {
      this.#lose(`could not be run (${error.message})`);
      reject(error);
    });
    child.once('spawn', resolve);
    return promise;
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin || this.#isOver) return Promise.reject(new Error('the server process has ended'));
    return new Promise((resolve, reject) => {
      stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** The synchronous part of `close`, for an exit hook. */
  endNow(): void {
    running.delete(this);
    const pid = this.#child?.pid;
    if (pid !== undefined) signalGroup(pid, 'SIGKILL');
    try {
      this.folder.remove();
    } catch {
      // A process still writes to the folder; the next start removes it.
    }
  }

  async #close(): Promise<void> {
    const child = this.#child;
    if (child?.pid !== undefined) {
      child.stdin.end();
      if (!(await exited(child, GOODBYE_MS))) signalGroup(child.pid, 'SIGTERM');
      if (!(await exited(child, TERM_MS))) signalGroup(child.pid, 'SIGKILL');
      await exited(child, TERM_MS);
      // Ends the children that it left behind. The group id is not reused while one of them lives.
      if (signalGroup(child.pid, 'SIGKILL')) await groupGone(child.pid, TERM_MS);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    }
    this.#end('was closed');
    this.endNow();
  }

  #lose(how: string): void {
    const said = this.words.summary(6);
    this.#end(`${how}${said === '' ? '' : `; its last words: ${said}`}`);
  }

  /** Without its output the server cannot answer any more, even if it still runs. */
  #onSilence(child: { exitCode: number | null; signalCode: string | null }): void {
    if (this.#closing) return;
    setTimeout(() => {
      if (child.exitCode === null && child.signalCode === null) this.#lose('closed its output');
    }, LAST_WORDS_MS).unref();
  }

  #onLine(line: string): void {
    const message = readMessage(line);
    // Programs print other text to stdout. A line that is not a message is kept with the output of stderr.
    if (message === undefined) this.words.add(`${line.slice(0, 500)}\n`);
    else this.onmessage?.(message);
  }
}

function exited(
  child: { exitCode: number | null; signalCode: string | null; once(event: 'exit', listener: () => void): unknown },
  timeoutMs: number,
): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), timeoutMs);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
