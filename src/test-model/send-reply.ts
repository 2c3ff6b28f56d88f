/** Writes to the connection: good replies, refusals, and faults of the wire. */
import type { ServerResponse } from 'node:http';
import type { WrittenStream } from './protocols/protocol.ts';

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendText(response, status, 'application/json', JSON.stringify(body), headers);
}

function sendText(
  response: ServerResponse,
  status: number,
  contentType: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(body), ...headers });
  response.end(body);
}

export function sendStream(response: ServerResponse, { contentType, pieces }: WrittenStream): void {
  response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-cache' });
  for (const piece of pieces) response.write(piece);
  response.end();
}

/** The beginning of a reply is sent, then the connection is closed. */
export function sendHalf(response: ServerResponse, contentType: string, body: string): void {
  // A chunked body has no length: its client notices the end that is missing.
  response.writeHead(200, { 'content-type': contentType });
  response.write(body.slice(0, Math.ceil(body.length / 2)), () => response.destroy());
}

const HTML = '<!doctype html><html><title>502 Bad Gateway</title><h1>502 Bad Gateway</h1></html>';

/** A body that is no reply, with the status of one. */
export function sendBrokenBody(
  response: ServerResponse,
  kind: 'malformed' | 'html' | 'wrong-shape',
  isStreamed: boolean,
): void {
  if (kind === 'html') return sendText(response, 200, 'text/html', HTML);
  const body =
    kind === 'malformed' ? '{"choices": [{"message": ' : '{"unexpected": [7], "choices": 7, "candidates": 7}';
  if (isStreamed) sendText(response, 200, 'text/event-stream', `data: ${body}\n\n`);
  else sendText(response, 200, 'application/json', body);
}
