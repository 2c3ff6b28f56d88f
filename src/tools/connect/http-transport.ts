/** A server at a URL. The SDK's transport does not notice when the server has ended, so the server is probed after an error. */
import { setTimeout as sleep } from 'node:timers/promises';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { messageOf } from '../../errors/index.ts';
import type { HttpSpec } from './server-spec.ts';

const PROBE_MS = 800;
const PAUSE_MS = 50;

/** Waits until the URL answers anything. The caller notices when its program ends. */
export async function untilReachable(url: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      const response = await fetch(url, { method: 'OPTIONS', signal });
      await response.body?.cancel();
      return;
    } catch {
      // The program does not listen yet. There is no event for that.
      await sleep(PAUSE_MS, undefined, { signal });
    }
  }
}

export interface HttpLink {
  transport: StreamableHTTPClientTransport;
  /** Resolves with the reason when the URL does not answer any more, or when the session has ended. */
  lost: Promise<string>;
  /** Checks after an error whether the server still answers. */
  probe(): Promise<void>;
}

export function httpLink(spec: HttpSpec): HttpLink {
  const { promise, resolve } = Promise.withResolvers<string>();
  const headers = { ...spec.headers };
  const reconnection = { maxReconnectionDelay: 500, initialReconnectionDelay: 100, reconnectionDelayGrowFactor: 2 };
  const transport = new StreamableHTTPClientTransport(new URL(spec.url), {
    requestInit: { headers },
    reconnectionOptions: { ...reconnection, maxRetries: 2 },
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      // In the protocol, 404 with a session id means that the session has ended.
      if (response.status === 404 && new Headers(init?.headers).has('mcp-session-id')) {
        resolve('has ended the session (it answered 404)');
      }
      return response;
    },
  });
  const probe = async (): Promise<void> => {
    try {
      // Any answer shows that the server runs, including a refusal of the method.
      const response = await fetch(spec.url, { method: 'OPTIONS', headers, signal: AbortSignal.timeout(PROBE_MS) });
      await response.body?.cancel();
    } catch (error) {
      const cause = error instanceof TypeError && error.cause instanceof Error ? error.cause : error;
      resolve(`does not answer any more (${messageOf(cause)})`);
    }
  };
  return { transport, lost: promise, probe };
}
