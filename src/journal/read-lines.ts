/**
 * The lines of a file as bytes, with their position; one line and one block are in memory.
 * Lines are split at the newline byte only: readline would also split at U+2028, which JSON does not escape.
 */
import { open } from 'node:fs/promises';

export interface Line {
  /** From 1. */
  number: number;
  /** Offset of its first byte in the file. */
  offset: number;
  /** Without its newline. Valid until the next line is requested. */
  bytes: Buffer;
  /** False for a last line without a newline. */
  whole: boolean;
}

const BLOCK = 256 * 1024;
const NEWLINE = 0x0a;
/** The block of the reader that ended last: a run has thousands of short journals, and a new block for each costs more than reading them. */
let spare: Buffer | undefined;

/** A line longer than `maxBytes` is cut to just over it and is the last one that is read. */
export async function* readLines(file: string, maxBytes: number): AsyncGenerator<Line, void, undefined> {
  await using handle = await open(file);
  const block = spare ?? Buffer.allocUnsafe(BLOCK);
  spare = undefined;
  using _ = {
    [Symbol.dispose]: () => {
      spare = block;
    },
  };
  /** The parts of the current line from earlier blocks. */
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
