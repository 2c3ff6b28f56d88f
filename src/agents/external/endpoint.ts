/**
 * The MCP endpoint of one attempt: streamable HTTP on 127.0.0.1 with a token of its own, which is worth nothing when the attempt has ended.
 * A client may connect more than once (gemini runs as two processes); all of its connections are the attempt's main lane.
 */
import { randomUUID } from 'node:crypto';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Session } from '../../episode/index.ts';
import { startLoopbackServer } from '../../net/index.ts';
import { sessionServer } from './session-server.ts';

/** Connections of one agent at a time. */
const MAX_CONNECTIONS = 32;
const PATH = '/mcp';

export interface EndpointOptions {
  session: Session;
  /** Within this time each call is answered. */
  answerMs?: number | undefined;
}

export interface Endpoint extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  /** Resolves when an agent has initialised a connection and listed the tools. */
  readonly connected: Promise<void>;
  readonly isConnected: boolean;
  /** Resolves when the agent has called `task_done`. */
  readonly done: Promise<{ answer: string | undefined }>;
  /** When something was last asked or answered, in milliseconds of `performance.now()`. */
  readonly lastActivity: number;
}

export async function startEndpoint({ session, answerMs }: EndpointOptions): Promise<Endpoint> {
  const connected = Promise.withResolvers<void>();
  const done = Promise.withResolvers<{ answer: string | undefined }>();
  const state = { isConnected: false, isDone: false, lastActivity: performance.now() };
  const onActivity = (): void => {
    state.lastActivity = performance.now();
  };
  const connections = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const connect = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        connections.set(id, transport);
      },
      onsessionclosed: (id) => {
        connections.delete(id);
      },
    });
    const server = sessionServer({
      session,
      answerMs,
      onActivity,
      onListed: () => {
        onActivity();
        state.isConnected = true;
        connected.resolve();
      },
      onDone: (answer) => {
        if (state.isDone) return false;
        state.isDone = true;
        done.resolve({ answer });
        return true;
      },
    });
    await server.connect(transport);
    return transport;
  };
  const answer = async (request: Request): Promise<Response> => {
    if (new URL(request.url).pathname !== PATH) return rpcError(404, `There is nothing here; the endpoint is ${PATH}.`);
    const id = request.headers.get('mcp-session-id');
    // 404 makes a client initialise again.
    if (id !== null) return (await connections.get(id)?.handleRequest(request)) ?? rpcError(404, 'Session not found');
    if (connections.size >= MAX_CONNECTIONS) return rpcError(429, `There are ${MAX_CONNECTIONS} connections already.`);
    const transport = await connect();
    // Anything but `initialize` is answered with 400 here, as clients that probe for a newer protocol expect.
    const response = await transport.handleRequest(request);
    if (transport.sessionId === undefined) await transport.close();
    return response;
  };
  const server = await startLoopbackServer({
    answer,
    refuse: ({ status, message }) => rpcError(status, message),
  });
  return {
    url: `${server.origin}${PATH}`,
    token: server.token,
    connected: connected.promise,
    done: done.promise,
    get isConnected() {
      return state.isConnected;
    },
    get lastActivity() {
      return state.lastActivity;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...connections.values()].map((transport) => transport.close()));
      await server[Symbol.asyncDispose]();
    },
  };
}

function rpcError(status: number, message: string): Response {
  const body = { jsonrpc: '2.0', error: { code: status === 404 ? -32001 : -32000, message }, id: null };
  const headers = status === 401 ? { 'www-authenticate': 'Bearer' } : undefined;
  return Response.json(body, { status, ...(headers ? { headers } : {}) });
}
