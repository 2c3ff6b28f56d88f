/**
 * What a process prints, line by line, without secrets and in bounded memory: the beginning, and the end, because that is where a program
 * says why it ended.
 */
import { stripVTControlCharacters } from 'node:util';

export const OUTPUT_LIMITS = {
  /** Characters of the beginning, and of the end. */
  head: 250_000,
  tail: 250_000,
  /** Of one line; the rest of a longer one is dropped. Agents print tool results, pictures included, as one line. */
  line: 200_000,
} as const;

export interface BoundedOutputOptions {
  /** Takes out secrets. */
  redact: (text: string) => string;
  /** Each line, as it is kept. */
  onLine: (line: string) => void;
}

export class BoundedOutput {
  readonly #options: BoundedOutputOptions;
  readonly #decoder = new TextDecoder();
  /** Of the line that has not ended yet. */
  #line = '';
  #dropped = 0;
  #head: string[] = [];
  #headLength = 0;
  #tail: string[] = [];
  #tailLength = 0;
  #skipped = 0;

  constructor(options: BoundedOutputOptions) {
    this.#options = options;
  }

  add(chunk: Buffer): void {
    const parts = this.#decoder.decode(chunk, { stream: true }).split('\n');
    const last = parts.pop() ?? '';
    for (const part of parts) {
      this.#extend(part);
      this.#endLine();
    }
    this.#extend(last);
  }

  /** A last line without a line break counts too. */
  end(): void {
    if (this.#line !== '') this.#endLine();
  }

  get text(): string {
    this.#trim();
    const gap = this.#skipped > 0 ? `… (${this.#skipped} characters are not kept)\n` : '';
    return this.#head.join('') + gap + this.#tail.join('');
  }

  /** The last lines that are not empty, for an error message. */
  lastLines(count: number): string {
    const kept = [...this.#head.slice(-100), ...this.#tail.slice(-100)];
    const lines = kept.map((line) => stripVTControlCharacters(line).trim());
    return lines
      .filter((line) => line !== '')
      .slice(-count)
      .map((line) => (line.length > 500 ? `${line.slice(0, 500)}…` : line))
      .join('\n');
  }

  #extend(text: string): void {
    const room = Math.max(0, OUTPUT_LIMITS.line - this.#line.length);
    this.#line += text.slice(0, room);
    this.#dropped += Math.max(0, text.length - room);
  }

  #endLine(): void {
    const cut = this.#dropped > 0 ? `… (cut: ${this.#dropped} characters)` : '';
    const line = this.#options.redact(this.#line + cut);
    this.#line = '';
    this.#dropped = 0;
    this.#keep(`${line}\n`);
    this.#options.onLine(line);
  }

  #keep(line: string): void {
    if (this.#tail.length === 0 && this.#headLength + line.length <= OUTPUT_LIMITS.head) {
      this.#head.push(line);
      this.#headLength += line.length;
      return;
    }
    this.#tail.push(line);
    this.#tailLength += line.length;
    // Twice the bound, so that each line is moved at most once.
    if (this.#tailLength > 2 * OUTPUT_LIMITS.tail) this.#trim();
  }

  #trim(): void {
    let count = 0;
    while (this.#tailLength > OUTPUT_LIMITS.tail && count < this.#tail.length - 1) {
      const gone = this.#tail[count++]?.length ?? 0;
      this.#tailLength -= gone;
      this.#skipped += gone;
    }
    this.#tail.splice(0, count);
  }
}
