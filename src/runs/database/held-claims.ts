/** The claims that this process has now. Only these are renewed: one whose answer was lost on the way ends by itself. */
import type { Claim } from '../run-store.ts';

export class HeldClaims {
  readonly #held = new Map<Claim, AbortController>();

  get list(): Claim[] {
    return [...this.#held.keys()];
  }

  add(claim: Claim): void {
    this.#held.set(claim, new AbortController());
  }

  /** Aborted when the claim turns out to be lost. */
  signalOf(claim: Claim): AbortSignal {
    return (this.#held.get(claim) ?? new AbortController()).signal;
  }

  release(claim: Claim): void {
    this.#held.delete(claim);
  }

  lose(claim: Claim, why: Error): void {
    this.#held.get(claim)?.abort(why);
    this.#held.delete(claim);
  }
}
