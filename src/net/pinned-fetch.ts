/**
 * A fetch that connects only to checked addresses. No name is looked up between the check and the connection, so that
 * a changed DNS record has no effect. Redirects are refused, because they would lead to an unchecked address.
 */
import type { LookupAddress } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';

export interface PinnedRequest {
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  signal: AbortSignal;
  redirect: 'error';
}

/** The server answered with a redirect. */
export class RedirectRefused extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The endpoint replied with a redirect (${status}), which is not followed.`);
    this.name = 'RedirectRefused';
    this.status = status;
  }
}

/** A private agent, so that every reused connection goes to an address that was checked. */
const agents = { 'http:': new http.Agent({ keepAlive: true }), 'https:': new https.Agent({ keepAlive: true }) };

export function pinnedFetch(
  place: string,
  { method, headers, body, signal }: PinnedRequest,
  addresses: readonly LookupAddress[],
): Promise<Response> {
  const url = new URL(place);
  const isTls = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const request = (isTls ? https : http).request(url, {
      method,
      // The response is not decompressed here.
      headers: { ...headers, 'accept-encoding': 'identity', 'content-length': Buffer.byteLength(body) },
      agent: agents[isTls ? 'https:' : 'http:'],
      lookup: pinnedLookup(addresses),
      signal,
    });
    request.once('error', reject);
    request.once('response', (response) => {
      const { statusCode: status = 0 } = response;
      if (status >= 300 && status < 400) {
        response.destroy();
        reject(new RedirectRefused(status));
        return;
      }
      const isEmpty = status === 204 || status === 205;
      if (isEmpty) response.resume();
      const stream = isEmpty ? null : (Readable.toWeb(response) as ReadableStream<Uint8Array>);
      resolve(new Response(stream, { status, headers: headersOf(response) }));
    });
    request.end(body);
  });
}

/** For `http.request({ lookup })`. IP addresses are never looked up; they were checked as they are. */
function pinnedLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (host, { all }, callback) => {
    const [first] = addresses;
    if (!first) callback(Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' }), '');
    else if (all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

function headersOf({ headersDistinct }: http.IncomingMessage): [string, string][] {
  return Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
}
