/** The end of a process's output, in bounded memory. */
const KEPT = 8_000;

export class FinalOutput {
  #kept = '';

  add(chunk: Buffer | string): void {
    this.#kept = (this.#kept + chunk.toString()).slice(-KEPT);
  }

  get text(): string {
    return this.#kept.trim();
  }

  /** The last lines, for an error message. */
  lines(count: number): string {
    return this.text.split('\n').slice(-count).join('\n');
  }
}
