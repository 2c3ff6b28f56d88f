/** Bytes too large for a table. Behind this interface lies a folder or a bucket. */
import type { Readable } from 'node:stream';

export interface ArtifactInfo {
  key: string;
  bytes: number;
  modifiedAt: Date;
}

export interface PutResult {
  key: string;
  bytes: number;
  sha256: string;
}

export type ArtifactBody = Uint8Array | string | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

export interface Artifacts {
  /** Replaces what was there. A reader sees the old bytes or the new ones, never a part. */
  put(key: string, body: ArtifactBody): Promise<PutResult>;
  /** Under the hash of its content; the same bytes are kept once. */
  putContent(body: Uint8Array | string, extension?: string): Promise<PutResult>;
  /** Throws `artifact_not_found`. The stream is read or destroyed by the caller. */
  get(key: string): Promise<Readable>;
  head(key: string): Promise<ArtifactInfo | undefined>;
  /** Below a prefix of whole parts, in the order of names. */
  list(prefix?: string): AsyncIterable<ArtifactInfo>;
  /** Whether it was there. */
  delete(key: string): Promise<boolean>;
}
