/** Artifacts in a bucket, for several servers. Loaded only when one is named: the SDK is large. */
import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { WaymarkError } from '../../errors/index.ts';
import { checkArtifactKey, checkArtifactPrefix } from './artifact-key.ts';
import type { ArtifactBody, ArtifactInfo, Artifacts, PutResult } from './artifacts.ts';
import { putContent } from './put-content.ts';
import type { S3Address } from './s3-address.ts';
import { isAbsent, s3Problem } from './s3-problem.ts';
import { uploadToS3 } from './s3-upload.ts';

/** For all tries of a request together, each is bounded by these. */
export interface S3Limits {
  connectMs: number;
  /** Until the answer has begun, and for each pause in it. */
  requestMs: number;
  /** A request that fails by 5xx, by the network or by its time is made again, with a pause that grows. */
  tries: number;
}

const LIMITS: S3Limits = { connectMs: 5_000, requestMs: 60_000, tries: 4 };

export class S3Artifacts implements Artifacts, Disposable {
  readonly #client: S3Client;
  readonly #address: S3Address;

  private constructor(client: S3Client, address: S3Address) {
    this.#client = client;
    this.#address = address;
  }

  /** Looks whether the bucket is there and may be used: a server that can't write should not start. */
  static async open(given: S3Address, limits: Partial<S3Limits> = {}): Promise<S3Artifacts> {
    const { connectMs, requestMs, tries } = { ...LIMITS, ...limits };
    const address = { ...given, endpoint: given.endpoint ?? usualEndpoint() };
    const { endpoint, region } = address;
    const client = new S3Client({
      region: region ?? process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'] ?? 'us-east-1',
      maxAttempts: tries,
      // Other makers' servers know buckets by path, and not every checksum that Amazon's does.
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: connectMs,
        requestTimeout: requestMs,
        // Without it, the SDK only logs that the time is up, and waits on.
        throwOnRequestTimeout: true,
        socketTimeout: requestMs,
      },
    });
    try {
      await client.send(new HeadBucketCommand({ Bucket: address.bucket }));
    } catch (thrown) {
      client.destroy();
      throw s3Problem(thrown, address);
    }
    return new S3Artifacts(client, address);
  }

  /** A bucket shows an object when all of it is there: no temporary name is needed. */
  async put(key: string, body: ArtifactBody): Promise<PutResult> {
    return await this.#try(async () => {
      const { bytes, sha256 } = await uploadToS3(this.#client, this.#place(key), body);
      return { key, bytes, sha256 };
    });
  }

  putContent(body: Uint8Array | string, extension?: string): Promise<PutResult> {
    return putContent(this, body, extension);
  }

  async get(key: string): Promise<Readable> {
    const place = this.#place(key);
    try {
      const { Body } = await this.#client.send(new GetObjectCommand(place));
      if (Body) return Body as Readable;
    } catch (thrown) {
      if (!isAbsent(thrown)) throw s3Problem(thrown, this.#address);
    }
    throw new WaymarkError({ code: 'artifact_not_found', message: `There is no artifact ${key}.` });
  }

  async head(key: string): Promise<ArtifactInfo | undefined> {
    const place = this.#place(key);
    try {
      const { ContentLength = 0, LastModified = new Date(0) } = await this.#client.send(new HeadObjectCommand(place));
      return { key, bytes: ContentLength, modifiedAt: LastModified };
    } catch (thrown) {
      if (isAbsent(thrown)) return undefined;
      throw s3Problem(thrown, this.#address);
    }
  }

  async *list(prefix = ''): AsyncIterable<ArtifactInfo> {
    const { bucket } = this.#address;
    const base = this.#key('');
    const below = prefix === '' ? base : `${base}${checkArtifactPrefix(prefix)}/`;
    let from: string | undefined;
    do {
      const page = await this.#try(() =>
        this.#client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: below, ContinuationToken: from })),
      );
      for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
        yield { key: Key.slice(base.length), bytes: Size, modifiedAt: LastModified };
      }
      from = page.NextContinuationToken;
    } while (from !== undefined);
  }

  async delete(key: string): Promise<boolean> {
    const there = await this.head(key);
    await this.#try(() => this.#client.send(new DeleteObjectCommand(this.#place(key))));
    return there !== undefined;
  }

  [Symbol.dispose](): void {
    this.#client.destroy();
  }

  #place(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#address.bucket, Key: this.#key(checkArtifactKey(key)) };
  }

  #key(key: string): string {
    const { prefix } = this.#address;
    return prefix === '' ? key : `${prefix}/${key}`;
  }

  async #try<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      // What the caller's own source threw is the caller's.
      throw isOfTheSdk(thrown) ? s3Problem(thrown, this.#address) : thrown;
    }
  }
}

/** As the AWS tools name it. Read here, because a server that is not Amazon's knows buckets by path. */
function usualEndpoint(): string | undefined {
  return process.env['AWS_ENDPOINT_URL_S3'] || process.env['AWS_ENDPOINT_URL'] || undefined;
}

function isOfTheSdk(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && '$metadata' in thrown;
}
