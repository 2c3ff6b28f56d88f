/** Serves the files of one run's folder on this machine, for reading only: no path, link or name leads out of it. */
import { once } from 'node:events';
import { createReadStream, realpathSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { messageOf, WaymarkError } from '../errors/index.ts';
import { errnoOf } from '../journal/index.ts';

export interface ServedRun extends AsyncDisposable {
  /** Of the report. */
  readonly url: string;
}

/** Everything else is shown as text: a file of a run may come from a page that was visited. */
const TYPES: Readonly<Record<string, string>> = {
  '.json': 'application/json; charset=utf-8',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
};
const REPORT = 'report.html';
const SCRIPT = 'text/javascript; charset=utf-8';
/** What a large report loads: scripts of its own, one per attempt. */
const CHUNK = /^report-data\/e\d+\.js$/;

/** `port`: 0 is any free one. */
export async function serveRun(root: string, { port }: { port: number }): Promise<ServedRun> {
  const folder = realpathSync(root);
  const server = createServer((request, response) => answer(folder, request, response));
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (cause) {
    const why = errnoOf(cause) === 'EADDRINUSE' ? 'it is in use' : messageOf(cause);
    throw new WaymarkError({
      code: 'view_port',
      message: `Port ${port} of 127.0.0.1 can't be listened on: ${why}.`,
      hint: 'Give another one with --port, or 0 for any free one.',
      cause,
    });
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(folder: string, request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader('cross-origin-resource-policy', 'same-origin');
  response.setHeader('cache-control', 'no-store');
  // A page elsewhere can give a name of its own this address, and must not read the run by it.
  if (!isThisMachine(request)) return refuse(response, 403, 'This address is served to this machine only.');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return refuse(response, 405, 'Only reading is possible.');
  }
  const file = fileOf(folder, request.url ?? '/');
  if (file === undefined) return refuse(response, 404, 'The run has no such file.');
  const isReport = file === path.join(folder, REPORT);
  const isChunk = CHUNK.test(path.relative(folder, file).replaceAll(path.sep, '/'));
  response.setHeader('content-type', isReport ? 'text/html; charset=utf-8' : isChunk ? SCRIPT : typeOf(file));
  // The report has a policy of its own; nothing else runs anything.
  if (!isReport) response.setHeader('content-security-policy', "default-src 'none'; sandbox");
  response.setHeader('content-length', statSync(file).size);
  if (request.method === 'HEAD') response.end();
  else
    createReadStream(file)
      .on('error', () => response.destroy())
      .pipe(response);
}

function isThisMachine({ headers, socket }: IncomingMessage): boolean {
  const { localPort } = socket;
  return [`127.0.0.1:${localPort}`, `localhost:${localPort}`].includes(headers.host ?? '');
}

/** Undefined where there is no such file in the folder. */
function fileOf(folder: string, url: string): string | undefined {
  try {
    const { pathname } = new URL(url, 'http://localhost');
    const name = pathname === '/' ? REPORT : decodeURIComponent(pathname.slice(1));
    if (name.includes('\0') || name.includes('\\')) return undefined;
    // The real one: what a link in the folder points at is not of the run.
    const file = realpathSync(path.join(folder, name));
    const isInside = file.startsWith(`${folder}${path.sep}`);
    return isInside && file === path.join(folder, name) && statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}

function typeOf(file: string): string {
  return TYPES[path.extname(file).toLowerCase()] ?? 'text/plain; charset=utf-8';
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.end(`${text}\n`);
}
