/** What the start of a server waits for, so that a slow one is not silent. */

/** How long a start is quick. */
const SLOW_MS = 5_000;

export class StartWait {
  readonly #what: string;
  readonly #said: () => string;
  readonly #timer: NodeJS.Timeout | undefined;
  #awaited = 'it to start';

  constructor(
    what: string,
    said: () => string,
    onSlowStart: ((sentence: string) => void) | undefined,
    slowMs = SLOW_MS,
  ) {
    this.#what = what;
    this.#said = said;
    if (onSlowStart) this.#timer = setTimeout(() => onSlowStart(this.sentence(slowMs)), slowMs).unref();
  }

  for(awaited: string): void {
    this.#awaited = awaited;
  }

  sentence(ms: number): string {
    const said = this.#said().split('\n').at(-1) ?? '';
    const last = said === '' ? 'It has said nothing so far.' : `Its last line is: ${said}`;
    return `${capital(this.#what)} has not started after ${ms / 1_000} s: waiting for ${this.#awaited}. ${last}`;
  }

  whyItFailed(ms: number): string {
    const silent = this.#said() === '' ? ', and it said nothing' : '';
    return `it did not answer within ${ms} ms: the harness waited for ${this.#awaited}${silent}`;
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
