/** A bounded amount of something that requests hold while they are under way: bytes of uploads, open streams. */
export class Slots {
  readonly #most: number;
  #held = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** @returns a function that gives them back, which may be called more than once; undefined where there are not enough. */
  take(amount = 1): (() => void) | undefined {
    if (this.#held + amount > this.#most) return undefined;
    this.#held += amount;
    let isHeld = true;
    return () => {
      if (isHeld) this.#held -= amount;
      isHeld = false;
    };
  }
}
