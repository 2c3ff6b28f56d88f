/** One tool call: it returns the answer, or throws the reason why there is none. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CallToolResultSchema, ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '../../errors/index.ts';
import { serverLost, toolTimeout } from './errors.ts';
import { END_MS, type Loss } from './loss.ts';
import { BAD_ANSWER } from './read-message.ts';
import { errorResult, readResult } from './read-result.ts';
import type { CallOptions, ToolResult } from './tool-client.ts';

const CALL_MS = 60_000;
/** The SDK's own time limit is set so high that ours always comes first. */
const NEVER_MS = 2 ** 31 - 1;

export interface Caller {
  client: Client;
  loss: Loss;
  /** Set when a call is given up before its answer came. */
  hasUnanswered?: boolean;
  /** After an error of the transport: finds out whether the server is lost. */
  probe?: (() => Promise<void>) | undefined;
  errorKind?: ((result: ToolResult) => string | undefined) | undefined;
}

export async function callTool(
  caller: Caller,
  name: string,
  args: Readonly<Record<string, unknown>>,
  { signal, timeoutMs = CALL_MS }: CallOptions,
): Promise<ToolResult> {
  signal?.throwIfAborted();
  const began = performance.now();
  const cut = Promise.withResolvers<never>();
  // Each call has its own controller, because the SDK never removes its listener from a signal, and an episode's signal lives long.
  const controller = new AbortController();
  const stop = (reason: unknown): void => {
    caller.hasUnanswered = true;
    cut.reject(reason);
    controller.abort('the call was given up');
  };
  const onAbort = (): void => stop(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(() => stop(toolTimeout(name, timeoutMs)), timeoutMs);
  const deaf = caller.loss.listen((reason) => cut.reject(serverLost(reason)));
  try {
    const asked = ask(caller, name, args, controller.signal, began);
    // After an abort, neither a late answer nor its error is awaited.
    asked.catch(() => {});
    return await Promise.race([asked, cut.promise]);
  } finally {
    clearTimeout(timer);
    deaf();
    signal?.removeEventListener('abort', onAbort);
  }
}

async function ask(
  caller: Caller,
  name: string,
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
  began: number,
): Promise<ToolResult> {
  const elapsed = (): number => performance.now() - began;
  try {
    const answer = await caller.client.request(
      { method: 'tools/call', params: { name, arguments: { ...args } } },
      CallToolResultSchema,
      { signal, timeout: NEVER_MS },
    );
    const result = readResult(answer, elapsed());
    const kind = result.isError ? caller.errorKind?.(result) : undefined;
    return kind === undefined ? result : { ...result, errorKind: kind };
  } catch (error) {
    if (isSchemaError(error) || (error instanceof McpError && error.code === BAD_ANSWER)) {
      return errorResult('The server answered with something that is no tool result.', 'bad_answer', elapsed());
    }
    if (error instanceof McpError && error.code !== ErrorCode.ConnectionClosed) {
      const kind = error.code === ErrorCode.InvalidParams ? 'bad_argument' : 'protocol_error';
      return errorResult(error.message, kind, elapsed());
    }
    // The connection broke. How the server ended is known a moment later, and ends the call. If it still runs, the call has failed anyway.
    await caller.probe?.();
    await sleep(END_MS + 300);
    throw serverLost(`The connection to the tool server broke: ${messageOf(error)}`);
  }
}

function isSchemaError(error: unknown): boolean {
  return error instanceof Error && 'issues' in error;
}
