/** Reads an agent's standard output: the events of a preset, line by line, or the last line of any other program. */
import type { Preset, Reading } from './preset.ts';

export class OutputReader {
  readonly #preset: Preset | undefined;
  readonly #onError: (error: string) => void;
  #reading: Reading = {};

  /** `onError` is told each error that the agent reports. */
  constructor(preset: Preset | undefined, onError: (error: string) => void) {
    this.#preset = preset;
    this.#onError = onError;
  }

  /** What the whole output says, together with the exit code. */
  endedWith(code: number | null): Reading {
    const exhausted = code === null ? undefined : this.#preset?.limitExits?.[code];
    return exhausted === undefined ? this.#reading : { ...this.#reading, exhausted };
  }

  onLine(line: string): void {
    if (!this.#preset) {
      if (line.trim() !== '') this.#reading = { answer: line.trim() };
      return;
    }
    const event = jsonObject(line);
    if (!event) return;
    const before = this.#reading;
    this.#reading = this.#preset.read(before, event);
    const { error } = this.#reading;
    if (error !== undefined && error !== before.error) this.#onError(error);
  }
}

/** Notices stand between the events, and long lines are cut: both are skipped. */
function jsonObject(line: string): Record<string, unknown> | undefined {
  if (!line.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
