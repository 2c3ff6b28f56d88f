/**
 * A bucket for tests: s3rver on loopback, behind a server that checks every signature and can fail on purpose. Ended and removed together.
 * s3rver itself computes signatures of requests for a bucket in another way than Amazon does, so it is told to let them pass.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import S3rver from '@20minutes/s3rver';
import { signatureProblem } from './check-signature.ts';

/** How a request fails: answered with this status, or never answered. */
export type S3Failure = number | 'silent';

export interface TestS3 extends AsyncDisposable {
  /** `s3://bucket?endpoint=…` of the one bucket that there is. */
  readonly address: string;
  readonly endpoint: string;
  /** What the server knows its client by. */
  readonly keys: { AWS_ACCESS_KEY_ID: string; AWS_SECRET_ACCESS_KEY: string };
  /** Requests since the start: those that were passed on, those that were refused for their signature, those that failed on purpose. */
  readonly counts: { passed: number; refused: number; failed: number };
  /** Lets so many requests fail, from now on; `Infinity` until it is called again. */
  fail(how: S3Failure, times: number): void;
}

const KEYS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

export async function startS3(bucket = 'waymark-test'): Promise<TestS3> {
  const directory = mkdtempSync(path.join(tmpdir(), 'waymark-s3-'));
  const behind = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    allowMismatchedSignatures: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port } = await behind.run();
  const counts = { passed: 0, refused: 0, failed: 0 };
  let failing: { how: S3Failure; times: number } = { how: 500, times: 0 };
  const server = createServer(async (incoming, response) => {
    const body = await buffer(incoming);
    const { method = '', url = '', headers } = incoming;
    const problem = signatureProblem({ method, url, headers, body }, secretOf);
    if (problem) {
      counts.refused++;
      return answer(response, 403, problem.code, problem.message);
    }
    if (failing.times > 0) {
      failing.times--;
      counts.failed++;
      if (failing.how !== 'silent') answer(response, failing.how, 'InternalError', 'failed on purpose');
      return;
    }
    counts.passed++;
    await passOn(incoming, body, response, port);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    endpoint,
    address: `s3://${bucket}?endpoint=${endpoint}`,
    keys: KEYS,
    counts,
    fail: (how, times) => {
      failing = { how, times };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await behind.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const secretOf = (keyId: string): string | undefined =>
  keyId === KEYS.AWS_ACCESS_KEY_ID ? KEYS.AWS_SECRET_ACCESS_KEY : undefined;

function answer(response: ServerResponse, status: number, code: string, message: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`,
  );
}

async function passOn(
  { method, url, headers }: IncomingMessage,
  body: Uint8Array,
  response: ServerResponse,
  port: number,
): Promise<void> {
  // Without a connection that is kept: the server behind closes at once when the test ends.
  const outgoing = request({ host: '127.0.0.1', port, method, path: url, headers, agent: false });
  outgoing.end(body);
  try {
    const [answered] = (await once(outgoing, 'response')) as [IncomingMessage];
    response.writeHead(answered.statusCode ?? 500, answered.headers);
    await pipeline(answered, response);
  } catch {
    // The client went away, or the server behind did: either way there is no client to tell.
    response.destroy();
  }
}
