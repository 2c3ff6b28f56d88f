/** The end of a process's output, in bounded memory. */
const KEPT = 8_000;
/** As programs in JavaScript and Python begin it: `TypeError: …`, `Error [ERR_X]: …`, `playwright._impl.Error: …`. */
const ERROR_LINE = /^\s*(?:Uncaught\s+)?[\w$.]*(?:Error|Exception)\b[^:]{0,60}:/;

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
    const tail = lines.slice(-count);
    const named = lines.slice(0, -count).findLast((line) => ERROR_LINE.test(line));
    const isShown = tail.some((line) => ERROR_LINE.test(line));
    return (named === undefined || isShown ? tail : [named.slice(0, 500), '…', ...tail]).join('\n');
  }
}
