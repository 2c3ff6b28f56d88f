/** A bucket for tests: s3rver on a free port of loopback, with its folder, ended and removed together. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import S3rver from '@20minutes/s3rver';

export interface TestS3 extends AsyncDisposable {
  /** `s3://bucket?endpoint=…` of the one bucket that there is. */
  readonly address: string;
  readonly endpoint: string;
  /** What the server knows its client by. */
  readonly keys: { AWS_ACCESS_KEY_ID: string; AWS_SECRET_ACCESS_KEY: string };
}

export async function startS3(bucket = 'waymark-test'): Promise<TestS3> {
  const directory = mkdtempSync(path.join(tmpdir(), 'waymark-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    // It signs paths of buckets without the slash that the SDK puts there; an unknown key is still refused.
    allowMismatchedSignatures: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port } = await server.run();
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    endpoint,
    address: `s3://${bucket}?endpoint=${endpoint}`,
    keys: { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' },
    async [Symbol.asyncDispose]() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
