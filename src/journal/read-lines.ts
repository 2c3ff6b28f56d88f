/**
 * The lines of a file as bytes, with their position; one line and one block are in memory.
 * Lines are split at the newline byte only: readline would also split at U+2028, which JSON does not escape.
 */
import { readFileSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';

export interface Line {
  /** From 1. */
  number: number;
  /** Offset of its first byte in the file. */
  offset: number;
  /** Without its newline. Valid until the next lines are asked for. */
  bytes: Buffer;
  /** False for a last line without a newline. */
  whole: boolean;
}

const BLOCK = 256 * 1024;
const NEWLINE = 0x0a;
/** The block of the reader that ended last: a new block for each file costs more than reading a short one. */
let spare: Buffer | undefined;

/**
 * The lines of each block together: one at a time, most of the time would go into handing them on.
 * A line longer than `maxBytes` is cut to just over it and is the last one that is read.
 */
export async function* readLines(file: string, maxBytes: number): AsyncGenerator<Line[], void, undefined> {
  /** The parts of the current line from earlier blocks. */
  let parts: Buffer[] = [];
  let held = 0;
  let number = 1;
  let offset = 0;
  for await (const block of blocksOf(file)) {
    const lines: Line[] = [];
    let from = 0;
    for (let to = block.indexOf(NEWLINE); to >= 0; to = block.indexOf(NEWLINE, from)) {
      const tail = block.subarray(from, to);
      const bytes = parts.length === 0 ? tail : Buffer.concat([...parts, tail]);
      parts = [];
      held = 0;
      lines.push({ number, offset, bytes, whole: true });
      number++;
      offset += bytes.length + 1;
      from = to + 1;
    }
    if (from < block.length) {
      parts.push(Buffer.from(block.subarray(from)));
      held += block.length - from;
    }
    if (lines.length > 0) yield lines;
    if (held > maxBytes) break;
  }
  if (held > 0) yield [{ number, offset, bytes: Buffer.concat(parts), whole: false }];
}

/** Each is valid until the next one is asked for. */
async function* blocksOf(file: string): AsyncGenerator<Buffer, void, undefined> {
  const found = statSync(file);
  // A run has thousands of short journals: opening and reading each by promises takes longer than reading it at once.
  if (found.isFile() && found.size <= BLOCK) {
    yield readFileSync(file);
    return;
  }
  await using handle = await open(file);
  const block = spare ?? Buffer.allocUnsafe(BLOCK);
  spare = undefined;
  using _ = {
    [Symbol.dispose]: () => {
      spare = block;
    },
  };
  for (;;) {
    const { bytesRead } = await handle.read(block, 0, BLOCK);
    if (bytesRead === 0) return;
    yield block.subarray(0, bytesRead);
  }
}
