/** Splits bytes into lines, in bounded memory. Chunks are joined once per line, so that the cost of a large message is linear. */
export class LineReader {
  readonly #maxBytes: number;
  readonly #onLine: (line: string) => void;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number, onLine: (line: string) => void) {
    this.#maxBytes = maxBytes;
    this.#onLine = onLine;
  }

  /** False when a line is too long. The reader cannot be used afterwards. */
  add(chunk: Buffer): boolean {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...this.#chunks, chunk.subarray(from, end)]).toString('utf8');
      this.#chunks = [];
      this.#size = 0;
      from = end + 1;
      if (line.trim() !== '') this.#onLine(line);
    }
    if (from < chunk.length) {
      this.#chunks.push(chunk.subarray(from));
      this.#size += chunk.length - from;
    }
    return this.#size <= this.#maxBytes;
  }
}
