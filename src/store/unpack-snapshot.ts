/**
 * Writes the files of a snapshot into a new folder, piece by piece. The embedded database can load the archive by itself, but holds it several
 * times meanwhile: of the server at its first start, at most 770 to 783 MiB of memory that way and 550 to 553 this way (five starts and four, VmHWM).
 */
import { closeSync, createReadStream, mkdirSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip } from 'node:zlib';

const BLOCK = 512;
const PIECE = 256 * 1024;
/** Fields of a header, by their position and length in bytes. */
const FIELDS = { name: [0, 100], size: [124, 12], type: [156, 1] } as const;
const FOLDER = '5';

/** @param file a tar archive, compressed by brotli or gzip, with no names longer than a header holds: see make-snapshot.ts. */
export async function unpackSnapshot(file: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const decompress = file.endsWith('.br') ? createBrotliDecompress : createGunzip;
  await pipeline(createReadStream(file), decompress({ chunkSize: PIECE }), async (pieces: AsyncIterable<Buffer>) => {
    using entries = new EntryWriter(folder);
    for await (const piece of pieces) entries.add(piece);
    entries.end();
  });
}

/** Takes the archive in pieces of any length. */
class EntryWriter implements Disposable {
  readonly #folder: string;
  /** Of the header that has not come whole yet. */
  #header = Buffer.alloc(0);
  #open: { readonly descriptor: number; left: number } | undefined;
  /** Bytes between the end of a file and the next block. */
  #padding = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  add(piece: Buffer): void {
    let rest = piece;
    while (rest.length > 0) {
      if (this.#open) rest = this.#write(rest, this.#open);
      else if (this.#padding > 0) rest = this.#skip(rest);
      else rest = this.#read(rest);
    }
  }

  end(): void {
    if (this.#open || this.#header.length > 0) throw new Error('the snapshot is cut off');
  }

  [Symbol.dispose](): void {
    if (this.#open) closeSync(this.#open.descriptor);
  }

  #write(bytes: Buffer, open: { readonly descriptor: number; left: number }): Buffer {
    const own = bytes.subarray(0, open.left);
    for (let from = 0; from < own.length; ) from += writeSync(open.descriptor, own, from);
    open.left -= own.length;
    if (open.left === 0) {
      this.#open = undefined;
      closeSync(open.descriptor);
    }
    return bytes.subarray(own.length);
  }

  #skip(bytes: Buffer): Buffer {
    const skipped = Math.min(this.#padding, bytes.length);
    this.#padding -= skipped;
    return bytes.subarray(skipped);
  }

  #read(bytes: Buffer): Buffer {
    const missing = BLOCK - this.#header.length;
    this.#header = Buffer.concat([this.#header, bytes.subarray(0, missing)]);
    if (this.#header.length === BLOCK) {
      this.#begin(this.#header);
      this.#header = Buffer.alloc(0);
    }
    return bytes.subarray(missing);
  }

  #begin(header: Buffer): void {
    const name = fieldOf(header, 'name');
    // The archive ends with empty blocks.
    if (name === '') return;
    const place = path.join(this.#folder, name);
    if (!place.startsWith(`${this.#folder}${path.sep}`)) throw new Error(`the snapshot has the name ${name}`);
    if (fieldOf(header, 'type') === FOLDER) {
      mkdirSync(place, { recursive: true });
      return;
    }
    const size = Number.parseInt(fieldOf(header, 'size'), 8);
    mkdirSync(path.dirname(place), { recursive: true });
    const descriptor = openSync(place, 'wx');
    if (size > 0) this.#open = { descriptor, left: size };
    else closeSync(descriptor);
    this.#padding = (BLOCK - (size % BLOCK)) % BLOCK;
  }
}

function fieldOf(header: Buffer, field: keyof typeof FIELDS): string {
  const [from, length] = FIELDS[field];
  return header.toString('latin1', from, from + length).replace(/\0.*$/s, '');
}
