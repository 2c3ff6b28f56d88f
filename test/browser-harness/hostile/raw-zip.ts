/** Writes ZIP archives that lie: every field can be set to anything, in either header. */
import { crc32 } from 'node:zlib';

export interface Fields {
  madeBy?: number;
  version?: number;
  flags?: number;
  method?: number;
  crc?: number;
  packed?: number;
  size?: number;
  nameLength?: number;
  extraLength?: number;
  commentLength?: number;
  disk?: number;
  external?: number;
  offset?: number;
  signature?: number;
}

export interface RawEntry {
  name: string | Buffer;
  data: string | Buffer;
  /** In both headers. */
  both?: Fields;
  local?: Fields;
  central?: Fields;
  localName?: string | Buffer;
  extra?: Buffer;
  localExtra?: Buffer;
  comment?: string;
  /** Bytes in front of the local header. */
  before?: Buffer;
  /** Bytes behind the data. */
  after?: Buffer;
  /** Listed in the directory without bytes of its own. */
  isGhost?: boolean;
  /** There, but not listed. */
  isHidden?: boolean;
}

export interface EndFields {
  disk?: number;
  directoryDisk?: number;
  here?: number;
  entries?: number;
  size?: number;
  offset?: number;
  commentLength?: number;
  comment?: Buffer;
  /** Between directory and end record: a 64-bit locator, for instance. */
  before?: Buffer;
}

export function rawZip(entries: readonly RawEntry[], end: EndFields = {}): Buffer {
  const body: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const localName = Buffer.from(entry.localName ?? name);
    const data = Buffer.from(entry.data);
    const truth = { crc: crc32(data), packed: data.length, size: data.length, flags: 0x0800, ...entry.both };
    const [extra, localExtra] = [entry.extra ?? Buffer.alloc(0), entry.localExtra ?? entry.extra ?? Buffer.alloc(0)];
    const before = entry.before ?? Buffer.alloc(0);
    const start = offset + before.length;
    if (!entry.isGhost) {
      const local = { ...truth, ...entry.local };
      const header = Buffer.alloc(30);
      header.writeUInt32LE(local.signature ?? 0x04034b50, 0);
      common(header, 4, local);
      header.writeUInt16LE(local.nameLength ?? localName.length, 26);
      header.writeUInt16LE(local.extraLength ?? localExtra.length, 28);
      const parts = [before, header, localName, localExtra, data, entry.after ?? Buffer.alloc(0)];
      body.push(...parts);
      offset += parts.reduce((sum, { length }) => sum + length, 0);
    }
    if (entry.isHidden) continue;
    const central = { ...truth, ...entry.central };
    const comment = Buffer.from(entry.comment ?? '');
    const record = Buffer.alloc(46);
    record.writeUInt32LE(central.signature ?? 0x02014b50, 0);
    record.writeUInt16LE(central.madeBy ?? 20, 4);
    common(record, 6, central);
    record.writeUInt16LE(central.nameLength ?? name.length, 28);
    record.writeUInt16LE(central.extraLength ?? extra.length, 30);
    record.writeUInt16LE(central.commentLength ?? comment.length, 32);
    record.writeUInt16LE(central.disk ?? 0, 34);
    record.writeUInt32LE(central.external ?? 0, 38);
    record.writeUInt32LE(central.offset ?? start, 42);
    directory.push(record, name, extra, comment);
  }
  const index = Buffer.concat(directory);
  const listed = entries.filter(({ isHidden }) => !isHidden).length;
  const tail = Buffer.alloc(22);
  tail.writeUInt32LE(0x06054b50, 0);
  tail.writeUInt16LE(end.disk ?? 0, 4);
  tail.writeUInt16LE(end.directoryDisk ?? 0, 6);
  tail.writeUInt16LE(end.here ?? end.entries ?? listed, 8);
  tail.writeUInt16LE(end.entries ?? listed, 10);
  tail.writeUInt32LE(end.size ?? index.length, 12);
  tail.writeUInt32LE(end.offset ?? offset, 16);
  tail.writeUInt16LE(end.commentLength ?? end.comment?.length ?? 0, 20);
  return Buffer.concat([...body, index, end.before ?? Buffer.alloc(0), tail, end.comment ?? Buffer.alloc(0)]);
}

function common(
  header: Buffer,
  at: number,
  { version = 20, flags = 0, method = 0, crc = 0, packed = 0, size = 0 }: Fields,
): void {
  header.writeUInt16LE(version, at);
  header.writeUInt16LE(flags, at + 2);
  header.writeUInt16LE(method, at + 4);
  header.writeUInt32LE(crc >>> 0, at + 10);
  header.writeUInt32LE(packed, at + 14);
  header.writeUInt32LE(size, at + 18);
}

export function extraField(id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(data.length, 2);
  return Buffer.concat([head, data]);
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
