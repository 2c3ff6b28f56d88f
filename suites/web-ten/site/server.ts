/** The one server of the suite: all its sites, by host name, on loopback only. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Reply } from '../../../fixtures/routes/route.ts';
import { desk } from './desk/index.ts';
import { library } from './library/index.ts';
import { rail } from './rail/index.ts';
import { shop } from './shop/index.ts';
import { COOKIE, type Site } from './site.ts';
import { wiki } from './wiki/index.ts';

const LOOPBACK = '127.0.0.1';
const MAX_BODY_BYTES = 100_000;

export interface SiteServer extends AsyncDisposable {
  readonly port: number;
  readonly hosts: readonly string[];
}

export async function startSites(): Promise<SiteServer> {
  const sites = new Map([shop(), library(), rail(), wiki(), desk()].map((site) => [site.host, site]));
  const server = createServer((request, response) => {
    void answer(sites, request, response);
  });
  // If an idle connection is closed just as the browser reuses it, a POST is lost: keep them until the server stops.
  server.keepAliveTimeout = 0;
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server of the sites has no port.');
  return {
    port: address.port,
    hosts: [...sites.keys()],
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(sites: ReadonlyMap<string, Site>, request: IncomingMessage, response: ServerResponse) {
  response.sendDate = false;
  const { method = 'GET', url = '/', headers } = request;
  const site = sites.get((headers.host ?? '').replace(/:\d+$/, ''));
  const body = await bodyOf(request).catch(() => undefined);
  if (site === undefined) return send(response, { status: 421, body: 'There is no site of this name here.' });
  if (body === undefined) return send(response, { status: 413, body: '' });
  const [path = '/', ...query] = url.split('?');
  const visitor = new RegExp(`(?:^|;\\s*)${COOKIE}=([0-9a-f-]{36})(?:;|$)`).exec(headers.cookie ?? '')?.[1];
  const reply = site.answer(
    {
      method: method === 'HEAD' ? 'GET' : method,
      path,
      query: new URLSearchParams(query.join('?')),
      form: new URLSearchParams(body),
    },
    visitor,
  );
  send(response, method === 'HEAD' ? { ...reply, body: '' } : reply);
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
