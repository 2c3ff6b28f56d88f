/** The id of a new run: a UUIDv7, so that runs sort by the time they were made. Ids of older runs stay as they are: an id is opaque. */
import { randomBytes } from 'node:crypto';

/** By hand, because `crypto.randomUUIDv7` is not in every release of Node 24. */
export function newRunId(now: Date = new Date()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now.getTime(), 0, 6);
  // Version 7, then the variant of RFC 9562; all other bits are random.
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
