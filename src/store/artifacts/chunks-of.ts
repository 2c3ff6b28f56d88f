/** A body as chunks, whatever it came as. */
import type { ArtifactBody } from './artifacts.ts';

export async function* chunksOf(body: ArtifactBody): AsyncIterable<Uint8Array> {
  if (typeof body === 'string') yield Buffer.from(body);
  else if (body instanceof Uint8Array) yield body;
  else yield* body;
}
