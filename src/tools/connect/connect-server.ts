/** Connects to a tool server and returns a client, which is the same for every kind of server. */

import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, ListRootsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import { messageOf, WaymarkError } from '../../errors/index.ts';
import { type Caller, callTool } from './call-tool.ts';
import { startFailed } from './errors.ts';
import { httpLink, untilReachable } from './http-transport.ts';
import { type ListedTools, listTools } from './list-tools.ts';
import { END_MS, Loss } from './loss.ts';
import { ServerProcess } from './server-process.ts';
import { describeSpec, type ServerSpec } from './server-spec.ts';
import { StartWait } from './start-wait.ts';
import type { ToolClient, ToolResult } from './tool-client.ts';

const START_MS = 30_000;
const GOODBYE_MS = 1_000;

export interface ConnectOptions {
  signal?: AbortSignal | undefined;
  /** Default: 30,000. */
  startMs?: number | undefined;
  /** Told, when the start takes long, what is being waited for: a sentence for the user. */
  onSlowStart?: ((sentence: string) => void) | undefined;
  /** Classifies a failed result; from the server's profile. */
  errorKind?: ((result: ToolResult) => string | undefined) | undefined;
  clientName?: string | undefined;
}

interface Link {
  transport: Transport;
  /** Starts the program that serves the transport, and waits until it can be reached. */
  begin?: (signal: AbortSignal) => Promise<void>;
  /** Resolves when the server is lost without being closed by the harness. */
  lost: Promise<string>;
  probe?: () => Promise<void>;
  pid?: () => number | undefined;
  stderr?: () => string;
  close(): Promise<void>;
  roots: readonly string[];
}

/**
 * @example
 * await using client = await connectServer({ kind: 'stdio', command: 'npx', args: ['@playwright/mcp'] });
 * const { text } = await client.call('browser_navigate', { url }, { timeoutMs: 20_000 });
 */
export async function connectServer(spec: ServerSpec, options: ConnectOptions = {}): Promise<ToolClient> {
  const what = describeSpec(spec);
  const link = linkTo(spec);
  const client = new Client(
    { name: options.clientName ?? 'waymark', version: '0.1.0' },
    { capabilities: link.roots.length > 0 ? { roots: {} } : {} },
  );
  if (link.roots.length > 0) {
    const roots = link.roots.map((folder) => ({ uri: pathToFileURL(folder).href }));
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }));
  }
  let isClosing = false;
  const loss = new Loss();
  // Our own close ends the transport too, and must not count as a loss.
  void link.lost.then((reason) => {
    if (!isClosing) loss.happened(`${what.charAt(0).toUpperCase()}${what.slice(1)} ${reason}`);
  });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    isClosing = true;
    // A server that does not close properly is ended with its link.
    closing ??= Promise.race([client.close(), expired(GOODBYE_MS)])
      .catch(() => {})
      .then(() => link.close());
    return closing;
  };

  const startMs = options.startMs ?? START_MS;
  const signal = AbortSignal.any([AbortSignal.timeout(startMs), ...(options.signal ? [options.signal] : [])]);
  const waiting = new StartWait(what, () => link.stderr?.() ?? '', options.onSlowStart);
  try {
    const caller: Caller = { client, loss, probe: link.probe, errorKind: options.errorKind };
    const cut = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const gone = link.lost.then((reason) => Promise.reject(new Error(reason)));
    const connect = async (): Promise<ListedTools> => {
      if (link.begin) {
        waiting.for('its address to answer');
        await link.begin(signal);
      }
      waiting.for('its answer to "initialize"');
      await client.connect(link.transport, { signal, timeout: startMs });
      waiting.for('its answer to "tools/list"');
      return await listTools(client, signal);
    };
    const connected = connect();
    // After an abort, its late error is not awaited.
    connected.catch(() => {});
    const { tools, notes } = await Promise.race([connected, gone, cut]);
    const { name, version } = client.getServerVersion() ?? { name: what, version: 'unknown' };
    return {
      name,
      version,
      tools,
      notes,
      pid: link.pid?.(),
      call: (tool, args = {}, callOptions = {}) => callTool(caller, tool, args, callOptions),
      answers: (timeoutMs) => answers(client, timeoutMs),
      hasUnanswered: () => caller.hasUnanswered === true,
      lost: loss.promise,
      stderr: () => link.stderr?.() ?? '',
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (cause) {
    // How the process ended says more than the closed connection.
    const ended = await Promise.race([link.lost, Promise.resolve(undefined)]);
    await close();
    if (options.signal?.aborted) throw options.signal.reason;
    if (cause instanceof WaymarkError) throw cause;
    if (ended !== undefined) throw startFailed(what, `it ${ended}`, cause);
    const said = link.stderr?.() ?? '';
    const why = signal.aborted ? waiting.whyItFailed(startMs) : because(cause);
    throw startFailed(what, said === '' ? why : `${why}; it said: ${said}`, cause);
  } finally {
    waiting.end();
  }
}

/** An error is an answer too: there are servers that know no ping. */
async function answers(client: Client, timeoutMs: number): Promise<boolean> {
  const none = expired(timeoutMs).then(() => false);
  return Promise.race([client.ping({ timeout: 2 * timeoutMs }).then(() => true, isAnswer), none]);
}

function isAnswer(error: unknown): boolean {
  return (
    error instanceof McpError && error.code !== ErrorCode.RequestTimeout && error.code !== ErrorCode.ConnectionClosed
  );
}

/** "fetch failed" does not say why; its cause does. */
function because(error: unknown): string {
  return messageOf(error instanceof TypeError && error.cause instanceof Error ? error.cause : error);
}

function linkTo(spec: ServerSpec): Link {
  if (spec.kind === 'stdio') {
    const server = new ServerProcess(spec);
    return {
      transport: server,
      lost: server.ended,
      pid: () => server.pid,
      stderr: () => server.words.text,
      close: () => server.close(),
      roots: spec.roots ?? [],
    };
  }
  if (spec.kind === 'http') {
    const { transport, lost, probe } = httpLink(spec);
    const server = spec.program && new ServerProcess({ kind: 'stdio', ...spec.program });
    const close = async (): Promise<void> => {
      // Servers may refuse to end a session; the connection is closed anyway.
      await Promise.race([transport.terminateSession().catch(() => {}), expired(GOODBYE_MS)]);
      await transport.close();
      await server?.close();
    };
    // A broken stream of a call is reported only here.
    transport.onerror = () => void probe();
    const link = { transport, probe, close, roots: [] };
    if (!server) return { ...link, lost };
    // How the process ended says more than that its URL does not answer, which may be noticed first.
    const gone = lost.then((reason) => expired(END_MS).then(() => reason));
    return {
      ...link,
      lost: Promise.race([server.ended, gone]),
      pid: () => server.pid,
      stderr: () => server.words.text,
      begin: async (signal) => {
        await server.start();
        await untilReachable(spec.url, signal);
      },
    };
  }
  const { transport } = spec;
  const lost = new Promise<string>((resolve) => {
    const before = transport.onclose;
    transport.onclose = () => {
      before?.();
      resolve('has closed the connection');
    };
  });
  return { transport, lost, close: async () => spec.close?.(), roots: [] };
}

function expired(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
