/** The end of a process's output, in bounded memory. */
const KEPT = 8_000;
/** As programs in JavaScript and Python begin it: `TypeError: …`, `Error [ERR_X]: …`, `playwright._impl.Error: …`. */
const ERROR_LINE = /^\s*(?:Uncaught\s+)?[\w$.]*(?:Error|Exception)\b[^:]{0,60}:/;
const STACK_LINE = /^\s+at /;
const MESSAGE_LINES = 3;

export class FinalOutput {
  #kept = '';

  add(chunk: Buffer | string): void {
    this.#kept = (this.#kept + chunk.toString()).slice(-KEPT);
  }

  get text(): string {
    return this.#kept.trim();
  }

  /** For an error message: the last lines, and before them the line that names the error, which a long stack would hide. */
  summary(count: number): string {
    const lines = this.text.split('\n');
    const from = Math.max(0, lines.length - count);
    const tail = lines.slice(from);
    const at = lines.findLastIndex((line, index) => index < from && ERROR_LINE.test(line));
    if (at === -1 || tail.some((line) => ERROR_LINE.test(line))) return tail.join('\n');
    // The message may begin on the line after its name.
    const end = lines.findIndex((line, index) => index > at && (STACK_LINE.test(line) || index > at + MESSAGE_LINES));
    const message = lines.slice(at, Math.min(end, from)).join('\n').trim().slice(0, 500);
    return [message, '…', ...tail].join('\n');
  }
}
