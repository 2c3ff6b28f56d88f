/** Hostile archives, made by code: each with the rule that must refuse it. None is large on disk; what is large is only claimed. */
import { crc32, deflateRawSync } from 'node:zlib';
import type { Capture } from '../../../src/capture/index.ts';
import { captureFiles } from '../samples.ts';
import { extraField, type RawEntry, rawZip, u32 } from './raw-zip.ts';

export interface HostileCase {
  readonly name: string;
  readonly code: 'archive_invalid' | 'archive_unsafe' | 'unsupported_media' | 'payload_too_large';
  /** The code; empty where the problem's own code says all. */
  readonly rule: string;
  readonly bytes: () => Buffer;
}

type Files = [RawEntry, RawEntry, RawEntry];
const MIB = 1024 * 1024;

/** The three files of a good capture, to be spoilt. */
function filesOf(capture: Capture): Files {
  const [manifest, harness, results] = captureFiles(capture).map(({ name, text }) => ({ name, data: text }));
  if (!manifest || !harness || !results) throw new Error('a capture has three files');
  return [manifest, harness, results];
}

export function hostileArchives(capture: Capture): HostileCase[] {
  const good = rawZip(filesOf(capture));
  const cases: HostileCase[] = [];
  const add = (code: HostileCase['code'], rule: string, name: string, bytes: () => Buffer): void => {
    cases.push({ name, code, rule, bytes });
  };
  const unsafe = (rule: string, name: string, spoil: (files: Files) => RawEntry[] | Buffer): void =>
    add('archive_unsafe', rule, name, () => made(spoil(filesOf(capture))));
  const invalid = (rule: string, name: string, spoil: (files: Files) => RawEntry[] | Buffer): void =>
    add('archive_invalid', rule, name, () => made(spoil(filesOf(capture))));
  const made = (spoilt: RawEntry[] | Buffer): Buffer => (Buffer.isBuffer(spoilt) ? spoilt : rawZip(spoilt));
  /** The third file under another name. */
  const named =
    (name: string | Buffer) =>
    ([a, b, c]: Files) => [a, b, { ...c, name }];
  const third =
    (change: Partial<RawEntry>) =>
    ([a, b, c]: Files) => [a, b, { ...c, ...change }];

  // Names.
  unsafe('name_traversal', '..', named('../results.jsonl'));
  unsafe('name_traversal', '.. in the middle', named('a/../../results.jsonl'));
  unsafe('name_traversal', 'nothing but ..', named('..'));
  unsafe('name_absolute', 'an absolute path', named('/etc/passwd'));
  unsafe('name_absolute', 'a drive letter', named('C:/results.jsonl'));
  unsafe('name_absolute', 'a drive letter without a slash', named('c:results.jsonl'));
  unsafe('name_backslash', 'a backslash', named('..\\results.jsonl'));
  unsafe('name_backslash', 'a UNC path', named('\\\\server\\share\\results.jsonl'));
  unsafe('name_nul', 'NUL behind an allowed name', named('results.jsonl\0.exe'));
  unsafe('name_nul', 'nothing but NUL', named('\0'));
  unsafe('name_encoding', 'a name in Latin-1', named(Buffer.from('résults.jsonl', 'latin1')));
  unsafe('name_encoding', 'an overlong slash', named(Buffer.from([0x2e, 0x2e, 0xc0, 0xaf, 0x78])));
  unsafe('name_not_allowed', 'another name', named('evil.js'));
  unsafe('name_not_allowed', 'capitals', named('RESULTS.JSONL'));
  unsafe('name_not_allowed', 'a trailing space', named('results.jsonl '));
  unsafe('name_not_allowed', 'a leading ./', named('./results.jsonl'));
  unsafe('name_not_allowed', 'a folder in front', named('capture/results.jsonl'));
  unsafe('name_not_allowed', 'an alternate stream', named('results.jsonl::$DATA'));
  unsafe('name_not_allowed', 'look-alike letters', named('rеsults.jsonl'));
  unsafe('name_not_allowed', 'full-width dots', named('．．/results.jsonl'));
  unsafe('name_not_allowed', 'a right-to-left override', named('results\u202e.jsonl'));
  unsafe('name_not_allowed', 'no name', named(''));
  unsafe('name_not_allowed', 'a name of 60,000 letters', named('a'.repeat(60_000)));
  unsafe('folder', 'a folder', named('results.jsonl/'));
  unsafe('folder', 'a folder by attribute', third({ central: { external: 0x10 } }));
  unsafe('extra_field', 'another name in a Unicode path field', ([a, b, c]) => [
    a,
    b,
    {
      ...c,
      extra: extraField(0x7075, Buffer.concat([Buffer.of(1), u32(crc32('results.jsonl')), Buffer.from('../evil')])),
    },
  ]);
  invalid('local_header', 'another name in the local header', third({ localName: 'RESULTS.jsonl' }));
  invalid('local_header', 'a longer name in the local header', third({ localName: '../../results.jsonl' }));

  // Kinds.
  unsafe(
    'link',
    'a symbolic link',
    third({ central: { madeBy: 0x031e, external: 0o120777 * 0x10000 }, data: '/etc/passwd' }),
  );
  unsafe('link', 'a symbolic link that claims to be from DOS', third({ central: { external: 0o120777 * 0x10000 } }));
  unsafe('link', 'a device', third({ central: { madeBy: 0x0314, external: 0o020666 * 0x10000 } }));
  unsafe('link', 'a socket', third({ central: { madeBy: 0x0314, external: 0o140777 * 0x10000 } }));
  unsafe('link', 'a folder by mode', third({ central: { madeBy: 0x0314, external: 0o040755 * 0x10000 } }));

  // Number of files.
  unsafe('duplicate_entry', 'a name twice', ([a, b]) => [a, b, a]);
  unsafe('entry_count', 'a fourth file', ([a, b, c]) => [a, b, c, { name: 'extra.txt', data: 'x' }]);
  unsafe('entry_count', '60,000 files', ([a]) => rawZip([a], { entries: 60_000 }));
  invalid('missing_entry', 'no results', ([a, b]) => [a, b]);
  invalid('missing_entry', 'no manifest', ([, b, c]) => [b, c]);
  invalid('directory', 'fewer entries than it says', ([a, b]) => rawZip([a, b], { entries: 3 }));
  invalid('directory', 'more entries than it says', ([a, b, c]) => rawZip([a, b, c], { entries: 2 }));
  unsafe('gap', 'a file that is not listed', ([a, b, c]) => [
    a,
    b,
    c,
    { name: 'hidden.txt', data: 'x', isHidden: true },
  ]);
  unsafe('gap', 'a hidden file in the middle', ([a, b, c]) => [
    a,
    { name: 'hidden.txt', data: 'x', isHidden: true },
    b,
    c,
  ]);

  // Encryption, compression, flags, methods.
  unsafe('encryption', 'encryption', third({ both: { flags: 0x0801 } }));
  unsafe('encryption', 'strong encryption', third({ both: { flags: 0x0841 } }));
  unsafe('encryption', 'an encrypted directory', third({ both: { flags: 0x2800 } }));
  unsafe('flags', 'a data descriptor', third({ both: { flags: 0x0808 } }));
  unsafe('flags', 'patch data', third({ both: { flags: 0x0820 } }));
  unsafe('compression', 'deflate', ([a, b, c]) => {
    const packed = deflateRawSync(Buffer.from(c.data));
    return [a, b, { ...c, data: packed, both: { method: 8, size: c.data.length, crc: crc32(c.data) } }];
  });
  unsafe('compression', 'a bomb: 200 MiB in 200 kB', ([a, b, c]) => {
    const zeros = Buffer.alloc(200 * MIB);
    const packed = deflateRawSync(zeros, { level: 9 });
    return [a, b, { ...c, data: packed, both: { method: 8, size: zeros.length, crc: 0 } }];
  });
  unsafe('compression', 'a bomb that says it is small', ([a, b, c]) => {
    const packed = deflateRawSync(Buffer.alloc(20 * MIB), { level: 9 });
    return [a, b, { ...c, data: packed, both: { method: 8, size: 10, crc: 0 } }];
  });
  unsafe('compression', 'LZMA', third({ both: { method: 14 } }));
  unsafe('compression', 'AES', third({ both: { method: 99 } }));
  unsafe('compression', 'deflate in the directory only', third({ central: { method: 8 } }));
  invalid('local_header', 'deflate in the local header only', third({ local: { method: 8 } }));
  invalid('local_header', 'encryption in the local header only', third({ local: { flags: 0x0801 } }));
  unsafe('extra_field', 'an AES field', third({ extra: extraField(0x9901, Buffer.alloc(7)) }));
  unsafe(
    'extra_field',
    'a strange field in the local header only',
    third({ extra: Buffer.alloc(0), localExtra: extraField(0x7075, Buffer.alloc(9)) }),
  );
  invalid(
    'local_header',
    'a local extra field that does not end',
    third({ extra: Buffer.alloc(0), localExtra: Buffer.from([0x55, 0x54, 0xff, 0xff]) }),
  );
  invalid('directory', 'an extra field that does not end', third({ extra: Buffer.from([0x55, 0x54, 0xff, 0xff, 0]) }));

  // 64 bits and several disks.
  const wide = Buffer.alloc(24, 1);
  unsafe('zip64', 'a 64-bit field', third({ extra: extraField(0x0001, wide) }));
  unsafe(
    'zip64',
    'a 64-bit field in the local header only',
    third({ extra: Buffer.alloc(0), localExtra: extraField(0x0001, wide) }),
  );
  unsafe('zip64', 'a 64-bit size', third({ central: { size: 0xffffffff }, extra: extraField(0x0001, wide) }));
  unsafe('zip64', 'a 64-bit size without its field', third({ both: { size: 0xffffffff, packed: 0xffffffff } }));
  unsafe(
    'zip64',
    'a 64-bit field that is too short',
    third({ central: { size: 0xffffffff }, extra: extraField(0x0001, Buffer.alloc(2)) }),
  );
  unsafe('zip64', 'a 64-bit locator', (files) =>
    rawZip(files, { before: Buffer.concat([u32(0x07064b50), Buffer.alloc(16)]), size: 0 }),
  );
  unsafe('zip64', '65,535 entries', (files) => rawZip(files, { entries: 0xffff }));
  unsafe('zip64', 'a directory at 4 GB', (files) => rawZip(files, { offset: 0xffffffff }));
  unsafe('zip64', 'a directory of 4 GB', (files) => rawZip(files, { size: 0xffffffff }));
  unsafe('multi_disk', 'the second disk', (files) => rawZip(files, { disk: 1 }));
  unsafe('multi_disk', 'a directory on another disk', (files) => rawZip(files, { directoryDisk: 1 }));
  unsafe('multi_disk', 'a part of the entries here', (files) => rawZip(files, { here: 1 }));
  unsafe('multi_disk', 'a file on another disk', third({ central: { disk: 1 } }));

  // Sizes, checksums, places.
  unsafe('size_lie', 'two sizes', third({ both: { size: 5 } }));
  unsafe('entry_too_large', 'a manifest of 3 GB, it says', ([a, b, c]) => [
    { ...a, both: { size: 3_000_000_000, packed: 3_000_000_000 } },
    b,
    c,
  ]);
  unsafe('entry_too_large', 'a manifest of 5 MB', ([a, b, c]) => [{ ...a, data: Buffer.alloc(5 * MIB, 32) }, b, c]);
  invalid(
    'local_header',
    'a file that is longer than the archive',
    third({ both: { size: 60 * MIB, packed: 60 * MIB } }),
  );
  unsafe('overlap', 'a file that reaches into the directory', ([a, b, c]) => [
    a,
    b,
    { ...c, both: { size: c.data.length + 60, packed: c.data.length + 60 } },
  ]);
  invalid('crc', 'a file that is shorter than its bytes', ([a, b, c]) => [
    { ...a, both: { size: 5, packed: 5 } },
    b,
    c,
  ]);
  invalid('local_header', 'other sizes in the local header', third({ local: { size: 7, packed: 7 } }));
  invalid('local_header', 'another checksum in the local header', third({ local: { crc: 7 } }));
  invalid('crc', 'a wrong checksum', third({ both: { crc: 7 } }));
  invalid('crc', 'a checksum of zero', third({ both: { crc: 0 } }));
  invalid('crc', 'a changed byte', () => {
    const bytes = Buffer.from(good);
    const at = bytes.indexOf('Answer to mcq-1.');
    bytes[at] = 'X'.charCodeAt(0);
    return bytes;
  });
  unsafe('overlap', 'two names for the same bytes', ([a, b, c]) => [
    a,
    b,
    { ...c, isGhost: true, central: { offset: 0 } },
  ]);
  unsafe('overlap', 'a file inside another', ([a, b, c]) => [a, { ...b, central: { offset: 10 } }, c]);
  unsafe('gap', 'files in another order than their bytes', ([a, b, c]) => {
    const plain = rawZip([a, b, c]);
    const sizes = [a, b].map(({ name, data }) => 30 + Buffer.from(name).length + Buffer.from(data).length);
    const second = sizes[0] ?? 0;
    const body = plain.subarray(0, plain.readUInt32LE(plain.length - 6));
    const swapped = rawZip(
      [
        { ...b, isGhost: true, central: { offset: second } },
        { ...a, isGhost: true, central: { offset: 0 } },
        { ...c, isGhost: true, central: { offset: second + (sizes[1] ?? 0) } },
      ],
      { offset: body.length },
    );
    // The first listed file begins behind the first bytes: a gap for a reader who goes in order.
    return Buffer.concat([body, swapped]);
  });
  unsafe('gap', 'bytes before a file', third({ before: Buffer.from('secret') }));
  unsafe('gap', 'bytes behind a file', ([a, b, c]) => [a, { ...b, after: Buffer.from('secret') }, c]);
  unsafe('gap', 'bytes before the directory', third({ after: Buffer.alloc(1000) }));
  unsafe('gap', 'a place far behind the end', third({ central: { offset: 0x7fffffff } }));
  invalid('local_header', 'a local header without its mark', third({ local: { signature: 0x04034b51 } }));
  invalid('local_header', 'a local name longer than the archive', third({ local: { nameLength: 0xffff } }));
  invalid('directory', 'a directory entry without its mark', third({ central: { signature: 0x02014b51 } }));
  invalid('directory', 'a comment longer than the archive', third({ central: { commentLength: 0xffff } }));

  // The end, and truncation at every structure.
  invalid('end_record', 'a comment', (files) => rawZip(files, { comment: Buffer.from('hello') }));
  invalid('directory', 'a comment that holds another end', (files) =>
    rawZip(files, { comment: good.subarray(good.length - 22) }),
  );
  invalid('end_record', 'bytes behind the end', () => Buffer.concat([good, Buffer.from('x')]));
  invalid('end_record', 'a comment that is not there', (files) => rawZip(files, { commentLength: 5 }));
  invalid('directory', 'a second archive behind the first', () => Buffer.concat([good, good]));
  invalid('directory', 'a directory somewhere else', (files) => rawZip(files, { offset: 10 }));
  invalid('directory', 'a directory of another size', (files) => rawZip(files, { size: 10 }));
  invalid('truncated', 'half of the archive', () => good.subarray(0, good.length >> 1));
  invalid('truncated', 'no end record', () => good.subarray(0, good.length - 22));
  invalid('truncated', 'an end record without its last byte', () =>
    Buffer.from(good.subarray(0, good.length - 1)).fill(0, good.length - 22, good.length - 18),
  );
  invalid('end_record', 'a byte less', () => Buffer.from(good.subarray(0, good.length - 1)));
  invalid('truncated', 'the first local header', () => Buffer.from(good.subarray(0, 30)));
  invalid('truncated', 'four bytes', () => Buffer.from(good.subarray(0, 4)));
  invalid('magic', 'an empty archive', () => good.subarray(good.length - 22));
  invalid('magic', 'a spanned archive', () => Buffer.concat([Buffer.from('PK\x07\x08', 'latin1'), good]));
  add('unsupported_media', '', 'a program in front', () => Buffer.concat([Buffer.from('MZ\x90\0'), good]));
  add('unsupported_media', '', 'nothing', () => Buffer.alloc(0));
  add('unsupported_media', '', 'gzip', () => Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]));
  add('unsupported_media', '', 'HTML', () => Buffer.from('<html>{}</html>'));
  add('unsupported_media', '', 'a JSON list', () => Buffer.from('[]'));
  add('unsupported_media', '', 'UTF-16', () => Buffer.from(`\ufeff${JSON.stringify(capture)}`, 'utf16le'));
  add('payload_too_large', '', '65 MiB', () => Buffer.alloc(65 * MIB, 32));
  return cases;
}
