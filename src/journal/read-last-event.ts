/** The last whole line of a journal, without reading the rest: whether an attempt has ended is asked of thousands of journals at once. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { JOURNAL_LIMITS, type JournalEvent, parseEvent, type UnknownEvent } from '../events/index.ts';
import { hashIn, unchained } from './hash-chain.ts';

const FIRST_LOOK = 8 * 1024;
const NEWLINE = 0x0a;

/** Undefined where there is no journal, or no whole line in it. A damaged line counts as none: reading the whole journal says what is wrong. */
export function readLastEvent(file: string): JournalEvent | UnknownEvent | undefined {
  const line = readLastLine(file);
  return line && eventOf(line);
}

/** The last hash of the journal's chain: what the grades of the attempt are chained to. Empty where there is no chain. */
export function readLastHash(file: string): string {
  const line = readLastLine(file);
  return (line && hashIn(line)) ?? '';
}

function readLastLine(file: string): Buffer | undefined {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch {
    return undefined;
  }
  try {
    const { size } = fstatSync(fd);
    for (let length = FIRST_LOOK; ; length *= 8) {
      const line = lastLine(tail(fd, size, Math.min(length, size)), length >= size);
      if (line !== undefined) return line;
      if (length >= size || length > 2 * JOURNAL_LIMITS.lineBytes) return undefined;
    }
  } finally {
    closeSync(fd);
  }
}

function tail(fd: number, size: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, size - length));
}

/** Undefined where the line begins before these bytes. What stands behind the last newline was torn by a kill. */
function lastLine(bytes: Buffer, isWhole: boolean): Buffer | undefined {
  const end = bytes.lastIndexOf(NEWLINE);
  if (end < 0) return undefined;
  const before = end === 0 ? -1 : bytes.lastIndexOf(NEWLINE, end - 1);
  return before >= 0 || isWhole ? bytes.subarray(before + 1, end) : undefined;
}

function eventOf(line: Buffer): JournalEvent | UnknownEvent | undefined {
  try {
    const parsed = parseEvent(JSON.parse(unchained(line.toString('utf8'))));
    return parsed.ok ? parsed.event : undefined;
  } catch {
    return undefined;
  }
}
