/**
 * Reads a small ZIP archive in memory, with an allow-list of names. Compressed entries are refused, so nothing is inflated and no
 * decompression bomb is possible; the writers in page/ and here never compress.
 * Files must follow each other without gap or overlap from the first byte to the directory, and both headers of a file must agree, so
 * that no two readers can find different content.
 */
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, type LocalFileHeader, type ZipFile } from 'yauzl';
import { messageOf, WaymarkError } from '../errors/index.ts';
import { invalid, unsafe } from './archive-problem.ts';
import { readEndRecord } from './end-record.ts';
import { checkName } from './entry-name.ts';

const UTF8_NAMES = 0x0800;
const ENCRYPTED = 0x0001 | 0x0040 | 0x2000;
const ZIP64_EXTRA = 0x0001;
/** Timestamps and owners, which ordinary tools add. Any other extra field could change a name or a size. */
const HARMLESS_EXTRAS: readonly number[] = [0x5455, 0x7875, 0x000a];
const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const MSDOS_FOLDER = 0x10;
const MAX_U32 = 0xffffffff;

/** @throws WaymarkError archive_invalid or archive_unsafe; the code of its issue is the rule. */
export async function readZip<Name extends string>(
  bytes: Buffer,
  caps: Readonly<Record<Name, number>>,
): Promise<Map<Name, Buffer>> {
  const end = readEndRecord(bytes);
  const allowed = Object.keys(caps) as Name[];
  if (end.entries > allowed.length) {
    throw unsafe('entry_count', '', `it holds ${end.entries} files; ${allowed.length} are expected.`);
  }
  try {
    // Names stay bytes, so that the rules about names are checked here, each under its own name.
    const zip = await fromBufferPromise(bytes, { decodeStrings: false, validateEntrySizes: false });
    const files = new Map<Name, Buffer>();
    let nextFile = 0;
    let nextRecord = end.directoryStart;
    for await (const entry of zip.eachEntry()) {
      const name = checkName(rawName(entry), allowed);
      if (files.has(name)) throw unsafe('duplicate_entry', name, `${name} appears twice.`);
      checkRecord(entry, name, bytes.readUInt16LE(nextRecord + 34));
      nextRecord += 46 + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
      if (entry.uncompressedSize > caps[name]) throw tooLarge(name, caps[name]);
      const start = await checkLocal(zip, entry, name, nextFile);
      nextFile = start + entry.compressedSize;
      if (nextFile > end.directoryStart) throw unsafe('overlap', name, `${name} reaches into the directory.`);
      const data = bytes.subarray(start, nextFile);
      if (crc32(data) !== entry.crc32) throw invalid('crc', name, `${name} is damaged: its checksum is wrong.`);
      files.set(name, data);
    }
    if (nextRecord !== end.directoryEnd) throw invalid('directory', '', 'the directory is longer than its entries.');
    if (nextFile !== end.directoryStart) throw unsafe('gap', '', 'there are bytes outside of any file.');
    const missing = allowed.filter((name) => !files.has(name));
    if (missing.length > 0) throw invalid('missing_entry', missing[0] ?? '', `${missing.join(', ')} is missing.`);
    return files;
  } catch (thrown) {
    if (thrown instanceof WaymarkError) throw thrown;
    throw explain(messageOf(thrown));
  }
}

/** Translates the refusals of yauzl itself. */
function explain(message: string): WaymarkError {
  if (message.includes('encryption')) return unsafe('encryption', '', 'it is encrypted.');
  if (message.includes('zip64')) return unsafe('zip64', '', 'it uses the 64-bit extension.');
  return invalid('directory', '', `the directory can't be read (${message}).`);
}

/** With decodeStrings: false, yauzl returns bytes, which its types do not express. */
function rawName(entry: Entry): Buffer {
  const name: unknown = entry.fileNameRaw;
  return Buffer.isBuffer(name) ? name : Buffer.alloc(0);
}

function checkRecord(entry: Entry, name: string, disk: number): void {
  const { generalPurposeBitFlag: flags, compressedSize, uncompressedSize, relativeOffsetOfLocalHeader } = entry;
  if (entry.extraFields.some(({ id }) => id === ZIP64_EXTRA))
    throw unsafe('zip64', name, `${name} uses the 64-bit extension.`);
  if ([compressedSize, uncompressedSize, relativeOffsetOfLocalHeader].includes(MAX_U32)) {
    throw unsafe('zip64', name, `${name} uses the 64-bit extension.`);
  }
  if (disk !== 0) throw unsafe('multi_disk', name, `${name} is on another disk.`);
  if ((flags & ENCRYPTED) !== 0) throw unsafe('encryption', name, `${name} is encrypted.`);
  if ((flags & ~UTF8_NAMES) !== 0) throw unsafe('flags', name, `${name} has flags that are not expected.`);
  if (entry.compressionMethod !== 0)
    throw unsafe('compression', name, `${name} is compressed; the format stores files as they are.`);
  if (compressedSize !== uncompressedSize) throw unsafe('size_lie', name, `${name} has two different sizes.`);
  checkKind(entry, name);
  checkExtras(entry.extraFields, name);
}

function checkKind({ externalFileAttributes }: Entry, name: string): void {
  if ((externalFileAttributes & MSDOS_FOLDER) !== 0) throw unsafe('folder', name, `${name} is a folder.`);
  const type = (externalFileAttributes >>> 16) & FILE_TYPE;
  // Checked for every host system, because some readers use the mode regardless.
  if (type !== 0 && type !== REGULAR) throw unsafe('link', name, `${name} is a link or a device, not a file.`);
}

function checkExtras(extras: readonly { readonly id: number }[], name: string): void {
  const strange = extras.find(({ id }) => !HARMLESS_EXTRAS.includes(id));
  if (strange?.id === ZIP64_EXTRA) throw unsafe('zip64', name, `${name} uses the 64-bit extension.`);
  if (strange)
    throw unsafe(
      'extra_field',
      name,
      `${name} has an extra field (0x${strange.id.toString(16)}) that is not expected.`,
    );
}

/** Returns the offset of the file's bytes. */
async function checkLocal(zip: ZipFile, entry: Entry, name: string, expected: number): Promise<number> {
  const offset = entry.relativeOffsetOfLocalHeader;
  if (offset < expected) throw unsafe('overlap', name, `${name} overlaps another file.`);
  if (offset > expected) throw unsafe('gap', name, `there are bytes before ${name} outside of any file.`);
  let local: LocalFileHeader;
  try {
    local = await zip.readLocalFileHeaderPromise(entry, { minimal: false });
  } catch (thrown) {
    throw invalid('local_header', name, `${name} has no readable header (${messageOf(thrown)}).`);
  }
  const agrees =
    local.fileName.equals(rawName(entry)) &&
    local.generalPurposeBitFlag === entry.generalPurposeBitFlag &&
    local.compressionMethod === entry.compressionMethod &&
    local.crc32 === entry.crc32 &&
    local.compressedSize === entry.compressedSize &&
    local.uncompressedSize === entry.uncompressedSize;
  if (!agrees) throw invalid('local_header', name, `the two headers of ${name} differ.`);
  checkExtras(localExtras(local.extraField, name), name);
  return local.fileDataStart;
}

function localExtras(raw: Buffer, name: string): { readonly id: number }[] {
  const ids: { id: number }[] = [];
  for (let at = 0; at < raw.length; ) {
    const size = at + 4 <= raw.length ? raw.readUInt16LE(at + 2) : raw.length;
    if (at + 4 + size > raw.length)
      throw invalid('local_header', name, `${name} has an extra field that does not end.`);
    ids.push({ id: raw.readUInt16LE(at) });
    at += 4 + size;
  }
  return ids;
}

function tooLarge(name: string, cap: number): WaymarkError {
  return unsafe('entry_too_large', name, `${name} is larger than ${cap} bytes.`);
}
