/** Reads a stored ZIP archive strictly by its specification, independently of the writer's code. */
import { crc32 } from 'node:zlib';

export function readZip(bytes: Buffer): Map<string, string> {
  const end = bytes.length - 22;
  must(bytes.readUInt32LE(end) === 0x06054b50, 'no end record at the very end');
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  must(at + bytes.readUInt32LE(end + 12) === end, 'the directory does not reach the end record');
  const files = new Map<string, string>();
  let expected = 0;
  for (let index = 0; index < count; index++) {
    must(bytes.readUInt32LE(at) === 0x02014b50, 'no directory entry');
    const [flags, method] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10)];
    const [crc, packed, size] = [bytes.readUInt32LE(at + 16), bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)];
    const nameLength = bytes.readUInt16LE(at + 28);
    const local = bytes.readUInt32LE(at + 42);
    const name = text(bytes.subarray(at + 46, at + 46 + nameLength));
    must(flags === 0x0800, 'names are UTF-8 and nothing else is flagged');
    must(method === 0 && packed === size, 'stored');
    must(local === expected, 'files follow each other without a gap');
    must(bytes.readUInt32LE(local) === 0x04034b50, 'no local header');
    must(bytes.subarray(local + 6, local + 26).equals(bytes.subarray(at + 8, at + 28)), 'both headers agree');
    const start = local + 30 + nameLength;
    const data = bytes.subarray(start, start + size);
    must(text(bytes.subarray(local + 30, start)) === name, 'both names agree');
    must(crc32(data) === crc, `CRC of ${name}`);
    must(!files.has(name), 'a name comes once');
    files.set(name, text(data));
    expected = start + size;
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  must(at === end, 'nothing between directory and end');
  return files;
}

function text(bytes: Buffer): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

function must(condition: boolean, what: string): void {
  if (!condition) throw new Error(`Not a good archive: ${what}.`);
}
