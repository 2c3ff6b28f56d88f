/** Bytes into a bucket: in one request where they are few, in parts where they are many, and never more than a part in memory. */
import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { ArtifactBody } from './artifacts.ts';
import { chunksOf } from './chunks-of.ts';

interface Place {
  Bucket: string;
  Key: string;
}

/** S3 takes at least 5 MiB a part, and 10,000 parts: 80 GiB. */
const PART_BYTES = 8 * 1024 * 1024;

export async function uploadToS3(
  client: S3Client,
  place: Place,
  body: ArtifactBody,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const parts = partsOf(body, (chunk) => {
    hash.update(chunk);
    bytes += chunk.byteLength;
  });
  const first = await parts.next();
  const second = first.done ? first : await parts.next();
  if (second.done) {
    await client.send(new PutObjectCommand({ ...place, Body: first.value ?? new Uint8Array() }));
  } else {
    await uploadParts(client, place, [first.value ?? new Uint8Array(), second.value], parts);
  }
  return { bytes, sha256: hash.digest('hex') };
}

async function uploadParts(
  client: S3Client,
  place: Place,
  begun: readonly Uint8Array[],
  rest: AsyncIterable<Uint8Array>,
): Promise<void> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(place));
  const Parts: CompletedPart[] = [];
  const send = async (Body: Uint8Array) => {
    const PartNumber = Parts.length + 1;
    const { ETag } = await client.send(new UploadPartCommand({ ...place, UploadId, PartNumber, Body }));
    Parts.push({ ETag, PartNumber });
  };
  try {
    for (const part of begun) await send(part);
    for await (const part of rest) await send(part);
    await client.send(new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts } }));
  } catch (error) {
    // What was sent is paid for until it is given up.
    await client.send(new AbortMultipartUploadCommand({ ...place, UploadId })).catch(() => undefined);
    throw error;
  }
}

async function* partsOf(body: ArtifactBody, see: (chunk: Uint8Array) => void): AsyncGenerator<Uint8Array, undefined> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksOf(body)) {
    see(chunk);
    waiting.push(chunk);
    size += chunk.byteLength;
    if (size < PART_BYTES) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(waiting);
}
