/** Writes an uncompressed ZIP archive: the same bytes for the same files and date. `readZip` accepts only this kind. */
import { crc32 } from 'node:zlib';

export interface ZipFileText {
  readonly name: string;
  readonly text: string;
}

const UTF8_NAMES = 0x0800;
const VERSION = 20;

export function writeZip(files: readonly ZipFileText[], at: Date): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const file of files) {
    const name = Buffer.from(file.name);
    const data = Buffer.from(file.text);
    // Shared by both headers: version, flags, method, time, CRC, both sizes, length of the name, no extra field.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(VERSION, 0);
    common.writeUInt16LE(UTF8_NAMES, 2);
    common.writeUInt32LE(dosTime(at), 6);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(name.length, 22);
    parts.push(signature(0x04034b50), common, name, data);
    // Then, in the directory: no comment, first disk, no attributes, offset of the local header.
    const where = Buffer.alloc(14);
    where.writeUInt32LE(offset, 10);
    const madeBy = Buffer.alloc(2);
    madeBy.writeUInt16LE(VERSION);
    directory.push(signature(0x02014b50), madeBy, common, where, name);
    offset += 30 + name.length + data.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(index.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, index, signature(0x06054b50), end]);
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** DOS time has steps of two seconds and starts in 1980. */
function dosTime(at: Date): number {
  const date = (Math.max(0, at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return date * 0x10000 + time;
}
