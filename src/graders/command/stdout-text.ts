/** What a program prints to stdout, as long as it is short: a verdict is one object, so that more than a bound can't be one. */
import type { OutputSink } from '../../tools/index.ts';

export class StdoutText implements OutputSink {
  static readonly MAX_BYTES = 1_000_000;
  /** Settles when there is more. */
  readonly overflow: Promise<void>;
  readonly #overflow: () => void;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.overflow = promise;
    this.#overflow = resolve;
  }

  add(chunk: Buffer): void {
    const room = StdoutText.MAX_BYTES - this.#bytes;
    this.#bytes += chunk.length;
    if (room > 0) this.#chunks.push(chunk.subarray(0, room));
    if (chunk.length > room) this.#overflow();
  }

  end(): void {}

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}
