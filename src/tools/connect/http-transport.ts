/** A server at a URL. The SDK's transport does not notice when the server behind it is gone, so it is asked when something breaks. */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { messageOf } from '../../errors/index.ts';
import type { HttpSpec } from './server-spec.ts';

const PROBE_MS = 800;

export interface HttpLink {
  transport: StreamableHTTPClientTransport;
  /** Resolves with the reason when nothing answers at the URL any more, or the session has ended there. */
  lost: Promise<string>;
  /** After an error: is there still somebody? */
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
      // By the protocol: 404 with a session id means that the session is over.
      if (response.status === 404 && new Headers(init?.headers).has('mcp-session-id')) {
        resolve('has ended the session (it answered 404)');
      }
      return response;
    },
  });
  const probe = async (): Promise<void> => {
    try {
      // Any answer is a sign of life, a refusal of the method too.
      const response = await fetch(spec.url, { method: 'OPTIONS', headers, signal: AbortSignal.timeout(PROBE_MS) });
      await response.body?.cancel();
    } catch (error) {
      const cause = error instanceof TypeError && error.cause instanceof Error ? error.cause : error;
      resolve(`does not answer any more (${messageOf(cause)})`);
    }
  };
  return { transport, lost: promise, probe };
}
