/**
 * The lines of a file as bytes, with where they stand; memory holds one line and one block.
 * Split at the newline's byte only: readline would also split at U+2028, which JSON leaves as it is.
 */
import { open } from 'node:fs/promises';

export interface Line {
  /** From 1. */
  number: number;
  /** Of its first byte in the file. */
  offset: number;
  /** Without its newline. Good until the next line is asked for. */
  bytes: Buffer;
  /** False for a last line that no newline ends. */
  whole: boolean;
}

const BLOCK = 256 * 1024;
const NEWLINE = 0x0a;

/** Lines longer than `maxBytes` come cut to just over it, as the last ones that are read. */
export async function* readLines(file: string, maxBytes: number): AsyncGenerator<Line, void, undefined> {
  await using handle = await open(file);
  const block = Buffer.allocUnsafe(BLOCK);
  /** What earlier blocks had of the line that is not yet whole. */
  let parts: Buffer[] = [];
  let held = 0;
  let number = 1;
  let offset = 0;
  for (;;) {
    const { bytesRead } = await handle.read(block, 0, BLOCK);
    if (bytesRead === 0) break;
    let from = 0;
    for (let to = block.indexOf(NEWLINE); to >= 0 && to < bytesRead; to = block.indexOf(NEWLINE, from)) {
      const tail = block.subarray(from, to);
      const bytes = parts.length === 0 ? tail : Buffer.concat([...parts, tail]);
      parts = [];
      held = 0;
      yield { number, offset, bytes, whole: true };
      number++;
      offset += bytes.length + 1;
      from = to + 1;
    }
    if (from < bytesRead) {
      parts.push(Buffer.from(block.subarray(from, bytesRead)));
      held += bytesRead - from;
      if (held > maxBytes) break;
    }
  }
  if (held > 0) yield { number, offset, bytes: Buffer.concat(parts), whole: false };
}
