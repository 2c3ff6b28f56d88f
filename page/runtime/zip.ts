/**
 * A ZIP archive without compression: local headers, CRC-32, central directory. Names are UTF-8.
 * Enough for three small files; a capture of 4 GB, where the format needs its 64-bit extension, is refused.
 */
export interface ZipEntry {
  readonly name: string;
  readonly text: string;
}

const UTF8_NAMES = 0x0800;
const MAX_BYTES = 0xffff_ffff;

export function zip(entries: readonly ZipEntry[], at: Date): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const local: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = encoder.encode(entry.name);
    const data = encoder.encode(entry.text);
    // Version 2.0, flags, stored, time and date, CRC, both sizes, length of the name, no extra field.
    const common = [
      u16(20),
      u16(UTF8_NAMES),
      u16(0),
      dosTime(at),
      u32(crc32(data)),
      u32(data.length),
      u32(data.length),
    ];
    const lengths = [u16(name.length), u16(0)];
    const header = join([u32(0x04034b50), ...common, ...lengths, name]);
    local.push(header, data);
    // Made by 2.0; no comment, first disk, no attributes, where the local header is.
    central.push(
      join([u32(0x02014b50), u16(20), ...common, ...lengths, u16(0), u16(0), u16(0), u32(0), u32(offset), name]),
    );
    offset += header.length + data.length;
  }
  const directory = join(central);
  if (offset + directory.length > MAX_BYTES) throw new RangeError('The capture is too large for a ZIP archive.');
  const count = u16(entries.length);
  const end = join([u32(0x06054b50), u16(0), u16(0), count, count, u32(directory.length), u32(offset), u16(0)]);
  return join([...local, directory, end]);
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

export function crc32(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0);
  return (crc ^ 0xffff_ffff) >>> 0;
}

/** DOS time and date: two seconds is its smallest step, 1980 its first year. */
function dosTime(at: Date): Uint8Array {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  const date = (Math.max(0, at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  return join([u16(time), u16(date)]);
}

function u16(value: number): Uint8Array {
  return Uint8Array.of(value & 0xff, (value >>> 8) & 0xff);
}

function u32(value: number): Uint8Array {
  return Uint8Array.of(value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, (value >>> 24) & 0xff);
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
