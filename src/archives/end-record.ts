/**
 * The end record of a ZIP archive, which is read first. It must be the last 22 bytes: with a comment or bytes after it, two readers
 * could read the archive differently.
 */
import { invalid, unsafe } from './archive-problem.ts';

export interface EndRecord {
  readonly entries: number;
  readonly directoryStart: number;
  readonly directoryEnd: number;
}

const SIZE = 22;
const END = 0x06054b50;
const ZIP64_LOCATOR = 0x07064b50;
const LOCAL = 0x04034b50;

export function isZip(bytes: Buffer): boolean {
  return bytes.length >= 4 && bytes.readUInt32LE(0) === LOCAL;
}

export function readEndRecord(bytes: Buffer): EndRecord {
  if (!isZip(bytes)) throw invalid('magic', '', 'it does not start like a ZIP archive.');
  const at = bytes.length - SIZE;
  if (at < 4) throw invalid('truncated', '', 'it ends before the archive does.');
  if (bytes.readUInt32LE(at) !== END) {
    const isElsewhere = bytes.subarray(Math.max(0, at - 0xffff)).includes(Buffer.from('PK\x05\x06', 'latin1'));
    if (isElsewhere)
      throw invalid('end_record', '', 'there is a comment, or there are bytes after the end of the archive.');
    throw invalid('truncated', '', 'it ends before the archive does.');
  }
  if (bytes.readUInt16LE(at + 20) !== 0)
    throw invalid('end_record', '', 'the archive announces a comment that is missing.');
  if (at >= 20 && bytes.readUInt32LE(at - 20) === ZIP64_LOCATOR)
    throw unsafe('zip64', '', 'it uses the 64-bit extension.');
  const [disk, firstDisk] = [bytes.readUInt16LE(at + 4), bytes.readUInt16LE(at + 6)];
  const [here, entries] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10)];
  const [size, directoryStart] = [bytes.readUInt32LE(at + 12), bytes.readUInt32LE(at + 16)];
  if (entries === 0xffff || size === 0xffffffff || directoryStart === 0xffffffff) {
    throw unsafe('zip64', '', 'it uses the 64-bit extension.');
  }
  if (disk !== 0 || firstDisk !== 0 || here !== entries)
    throw unsafe('multi_disk', '', 'it is one part of a multi-disk archive.');
  if (directoryStart + size !== at) {
    throw invalid('directory', '', 'the directory is not at the position that the end record gives.');
  }
  return { entries, directoryStart, directoryEnd: at };
}
