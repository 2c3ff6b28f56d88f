/**
 * The program behind `{chromium}`: what a server under test starts as its browser. Its first argument is the address of the gate; the others are
 * those of a Chromium. It ends as a browser would: when its client has closed the browser, when the gate closes, and when its pipe ends.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import { WebSocket, WebSocketServer } from 'ws';
import { readWrapperArguments } from './wrapper-arguments.ts';

const SOCKET = { perMessageDeflate: false, maxPayload: 256 * 1024 * 1024 };
/** How long the gate may take to answer. */
const GATE_MS = 10_000;
const BROWSER_PATH = '/devtools/browser/waymark';

const [address = '', ...args] = process.argv.slice(2);
const wanted = readWrapperArguments(args);
const gate = new URL(address);

if (wanted.isVersion) await printVersion();
else if (wanted.isPipe) bridgePipe();
// A browser without a debugging port cannot be driven; it only runs until it is ended.
else if (wanted.port === undefined) setInterval(() => {}, 1_000_000);
else await listen(wanted.port);

async function printVersion(): Promise<void> {
  const { Browser } = (await (await fetch(new URL('json/version', gate), within())).json()) as { Browser: string };
  console.log(`Chromium ${Browser.replace(/^.*\//, '')}`);
}

function within(): { signal: AbortSignal } {
  return { signal: AbortSignal.timeout(GATE_MS) };
}

function openGate(pathname: string): WebSocket {
  const url = new URL(`.${pathname}`, gate);
  url.protocol = 'ws:';
  return new WebSocket(url, SOCKET);
}

function end(code: number, why?: string): never {
  if (why !== undefined) console.error(why);
  process.exit(code);
}

function bridgePipe(): void {
  const socket = openGate(BROWSER_PATH);
  // Not as files: a process that ends waits for a pending read of a file.
  const output = new Socket({ fd: 4, readable: false, writable: true });
  const input = new Socket({ fd: 3, readable: true, writable: false });
  let rest = Buffer.alloc(0);
  const opened = new Promise((resolve) => socket.once('open', resolve));
  socket.on('message', (data: Buffer) => output.write(Buffer.concat([data, Buffer.of(0)])));
  socket.on('close', () => output.end(() => end(0)));
  socket.on('error', (error) => end(1, error.message));
  output.on('error', () => end(0));
  input.on('error', () => end(0));
  input.on('end', () => end(0));
  input.on('data', (chunk: Buffer) => {
    const messages = splitAtZero(Buffer.concat([rest, chunk]));
    rest = messages.pop() ?? Buffer.alloc(0);
    void opened.then(() => {
      for (const message of messages) socket.send(message, { binary: false });
    });
  });
}

/** The parts between zero bytes; the last one has not ended yet. */
function splitAtZero(bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer>[] {
  const parts: Buffer<ArrayBuffer>[] = [];
  let from = 0;
  for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, from)) {
    parts.push(bytes.subarray(from, at));
    from = at + 1;
  }
  return [...parts, bytes.subarray(from)];
}

async function listen(port: number): Promise<void> {
  const sockets = new WebSocketServer({ noServer: true, ...SOCKET });
  const server = createServer((request, response) => {
    void forward(request.method ?? 'GET', request.url ?? '/')
      .then(({ status, text }) => response.writeHead(status, { 'content-type': 'application/json' }).end(text))
      .catch(() => response.writeHead(502).end());
  });
  server.on('upgrade', (request, socket, head) => {
    // A page of the web can open a socket to this port, but it cannot hide its Origin.
    if (request.headers.origin !== undefined) return void socket.destroy();
    sockets.handleUpgrade(request, socket, head, (client) => bridge(client, request.url ?? BROWSER_PATH));
  });
  server.on('error', (error) => end(1, `Cannot start http server for devtools: ${error.message}`));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  const { profileFolder } = wanted;
  if (profileFolder !== undefined) {
    mkdirSync(profileFolder, { recursive: true });
    writeFileSync(path.join(profileFolder, 'DevToolsActivePort'), `${own}\n${BROWSER_PATH}`);
  }
  console.error(`\nDevTools listening on ws://127.0.0.1:${own}${BROWSER_PATH}`);

  /** The addresses in the answer lead through this port, so that the end of the browser is noticed here. */
  async function forward(method: string, url: string): Promise<{ status: number; text: string }> {
    const answer = await fetch(new URL(`.${url}`, gate), { method, ...within() });
    const text = await answer.text();
    return {
      status: answer.status,
      text: text.replaceAll(`ws://${gate.host}${gate.pathname}`, `ws://127.0.0.1:${own}/`),
    };
  }
}

function bridge(client: WebSocket, pathname: string): void {
  const isOfBrowser = pathname.startsWith('/devtools/browser/');
  const upstream = openGate(isOfBrowser ? BROWSER_PATH : pathname);
  const waiting: Buffer[] = [];
  client.on('message', (data: Buffer) => {
    if (upstream.readyState === WebSocket.OPEN) upstream.send(data, { binary: false });
    else waiting.push(data);
  });
  upstream.on('open', () => {
    for (const data of waiting.splice(0)) upstream.send(data, { binary: false });
  });
  upstream.on('message', (data: Buffer) => client.send(data, { binary: false }));
  let hasLeft = false;
  client.on('close', () => {
    hasLeft = true;
    upstream.close();
  });
  client.on('error', () => client.terminate());
  upstream.on('error', () => upstream.terminate());
  upstream.on('close', () => {
    client.close();
    // The gate has ended the connection, as a browser does that is closed.
    if (isOfBrowser && !hasLeft) client.once('close', () => end(0));
  });
}
