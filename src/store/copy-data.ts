/**
 * Rows in PostgreSQL's binary format for COPY. Against a statement that takes texts apart, the embedded database spends a third less time on the
 * cells and attempts of an import: 357 instead of 520 ms of CPU for 10,000 of each (medians of 6 rounds in turns, writing the rows included).
 */
import type { PgColumn } from 'drizzle-orm/pg-core';
import { isUuid } from './records/ids.ts';

export interface CopiedColumn {
  /** The name of the value in a row. */
  readonly key: string;
  readonly column: PgColumn;
}

/** False where it is no value of the type: the database is to say so. */
type Encode = (bytes: CopyBytes, value: unknown) => boolean;

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
const FIRST_SIZE = 64 * 1024;
/** 2000-01-01, from which PostgreSQL counts microseconds. */
const EPOCH_MS = Date.UTC(2000, 0, 1);
const MICROS_PER_MS = 1000;
const TWO_TO_32 = 2 ** 32;
const JSONB_VERSION = 1;

/** By the name of the type, for values as drizzle gives them to a driver; a date is taken as it is. */
const ENCODERS: Readonly<Record<string, Encode>> = {
  text: (bytes, value) => typeof value === 'string' && bytes.text(value),
  jsonb: (bytes, value) => typeof value === 'string' && bytes.text(value, JSONB_VERSION),
  integer: (bytes, value) => typeof value === 'number' && (value | 0) === value && bytes.integer(value),
  'double precision': (bytes, value) => typeof value === 'number' && bytes.double(value),
  boolean: (bytes, value) => typeof value === 'boolean' && bytes.boolean(value),
  uuid: (bytes, value) => typeof value === 'string' && bytes.uuid(value),
  'timestamp (3) with time zone': (bytes, value) => value instanceof Date && bytes.date(value),
};

/** @returns undefined where a column or a value can't be written in this format. */
export function copyData(
  columns: readonly CopiedColumn[],
  rows: readonly object[],
): Uint8Array<ArrayBuffer> | undefined {
  const fields = columns.map(({ key, column }) => ({ key, column, encode: ENCODERS[column.getSQLType()] }));
  const bytes = new CopyBytes();
  for (const row of rows) {
    bytes.beginRow(fields.length);
    for (const { key, column, encode } of fields) {
      const given: unknown = Reflect.get(row, key);
      if (given === null || given === undefined) bytes.none();
      else if (!encode?.(bytes, given instanceof Date ? given : column.mapToDriverValue(given))) return undefined;
    }
  }
  return bytes.end();
}

/** Each field is its length and its bytes. */
class CopyBytes {
  #bytes = Buffer.from(new ArrayBuffer(FIRST_SIZE));
  #length = 0;
  /** Of the last id: mostly all rows have the same. */
  #id = { text: '', bytes: Buffer.alloc(0) };

  constructor() {
    this.#length += SIGNATURE.copy(this.#bytes);
    // Flags, and the length of a further header.
    this.#length = this.#bytes.writeInt32BE(0, this.#length);
    this.#length = this.#bytes.writeInt32BE(0, this.#length);
  }

  beginRow(fields: number): void {
    this.#reserve(2);
    this.#length = this.#bytes.writeInt16BE(fields, this.#length);
  }

  none(): void {
    this.#field(-1, 0);
  }

  /** A number before it belongs to the field. */
  text(text: string, version?: number): true {
    const from = version === undefined ? 0 : 1;
    this.#reserve(4 + from + text.length * 3);
    const start = this.#length + 4;
    if (version !== undefined) this.#bytes.writeUInt8(version, start);
    const length = from + this.#bytes.write(text, start + from, 'utf8');
    this.#bytes.writeInt32BE(length, this.#length);
    this.#length = start + length;
    return true;
  }

  integer(value: number): true {
    this.#field(4);
    this.#length = this.#bytes.writeInt32BE(value, this.#length);
    return true;
  }

  double(value: number): true {
    this.#field(8);
    this.#length = this.#bytes.writeDoubleBE(value, this.#length);
    return true;
  }

  boolean(value: boolean): true {
    this.#field(1);
    this.#length = this.#bytes.writeUInt8(value ? 1 : 0, this.#length);
    return true;
  }

  uuid(text: string): boolean {
    if (text !== this.#id.text) {
      if (!isUuid(text)) return false;
      this.#id = { text, bytes: Buffer.from(text.replaceAll('-', ''), 'hex') };
    }
    this.#field(this.#id.bytes.length);
    this.#length += this.#id.bytes.copy(this.#bytes, this.#length);
    return true;
  }

  date(date: Date): boolean {
    const micros = (date.getTime() - EPOCH_MS) * MICROS_PER_MS;
    if (!Number.isSafeInteger(micros)) return false;
    this.#field(8);
    const upper = Math.floor(micros / TWO_TO_32);
    this.#length = this.#bytes.writeInt32BE(upper, this.#length);
    this.#length = this.#bytes.writeUInt32BE(micros - upper * TWO_TO_32, this.#length);
    return true;
  }

  end(): Uint8Array<ArrayBuffer> {
    this.#reserve(2);
    this.#length = this.#bytes.writeInt16BE(-1, this.#length);
    return this.#bytes.subarray(0, this.#length);
  }

  #field(length: number, size = length): void {
    this.#reserve(4 + size);
    this.#length = this.#bytes.writeInt32BE(length, this.#length);
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.from(new ArrayBuffer(Math.max(needed, this.#bytes.length * 2)));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
