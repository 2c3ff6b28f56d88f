/** Keeps content under its hash, so that the same bytes are kept once. */
import { createHash } from 'node:crypto';
import { contentKey } from './artifact-key.ts';
import type { Artifacts, PutResult } from './artifacts.ts';

export async function putContent(
  artifacts: Pick<Artifacts, 'head' | 'put'>,
  body: Uint8Array | string,
  extension = '',
): Promise<PutResult> {
  const content = typeof body === 'string' ? Buffer.from(body) : body;
  const sha256 = createHash('sha256').update(content).digest('hex');
  const key = contentKey(sha256, extension);
  const there = await artifacts.head(key);
  if (there?.bytes === content.byteLength) return { key, bytes: content.byteLength, sha256 };
  return artifacts.put(key, content);
}
