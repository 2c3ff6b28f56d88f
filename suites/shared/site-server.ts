/** A server for sites by host name, on loopback only. What a site answers is a function from a request to a reply. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Reply } from '../../fixtures/routes/route.ts';
import type { SiteRequest } from './routing.ts';

const LOOPBACK = '127.0.0.1';
const MAX_BODY_BYTES = 100_000;

export interface HostRequest extends SiteRequest {
  /** Without a port. */
  readonly host: string;
  readonly headers: IncomingHttpHeaders;
  readonly socket: Socket;
}

export interface SiteServer extends AsyncDisposable {
  readonly port: number;
  readonly hosts: readonly string[];
}

export async function startSiteServer(
  hosts: readonly string[],
  answer: (request: HostRequest) => Reply,
): Promise<SiteServer> {
  const server = createServer((request, response) => {
    void respond(hosts, answer, request, response);
  });
  // If an idle connection is closed just as the browser reuses it, a POST is lost: keep them until the server stops.
  server.keepAliveTimeout = 0;
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server of the sites has no port.');
  return {
    port: address.port,
    hosts,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** What a suite's `fixture.ts` gives the harness: under which names the browser finds the server. */
export function fixtureOf(server: SiteServer) {
  return {
    resolverRules: server.hosts.map((host) => `MAP ${host} ${LOOPBACK}:${server.port}`).join(', '),
    allowHosts: server.hosts,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function respond(
  hosts: readonly string[],
  answer: (request: HostRequest) => Reply,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.sendDate = false;
  const { method = 'GET', url = '/', headers, socket } = request;
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  const body = await bodyOf(request).catch(() => undefined);
  if (!hosts.includes(host)) return send(response, { status: 421, body: 'There is no site of this name here.' });
  if (body === undefined) return send(response, { status: 413, body: '' });
  const [path = '/', ...query] = url.split('?');
  const reply = answer({
    method: method === 'HEAD' ? 'GET' : method,
    path,
    query: new URLSearchParams(query.join('?')),
    form: new URLSearchParams(body),
    host,
    headers,
    socket,
  });
  const shown = method === 'HEAD' ? { ...reply, body: '' } : reply;
  if (reply.delayMs === undefined) return send(response, shown);
  const timer = setTimeout(() => send(response, shown), reply.delayMs);
  response.once('close', () => clearTimeout(timer));
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    // The body is read to the end in any case: closing early would reset the connection before the response is sent.
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return size > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, { status = 200, headers = [], body }: Reply): void {
  const own: (readonly [string, string])[] = [
    ['cache-control', 'no-store'],
    ['x-content-type-options', 'nosniff'],
    ['content-length', String(Buffer.byteLength(body))],
  ];
  response.writeHead(status, [...headers, ...own].flat());
  response.end(body);
}
