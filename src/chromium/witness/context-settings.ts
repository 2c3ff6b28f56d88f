/** What the pages and workers of a context are set to before they run: determinism, the network policy, and where their copies are kept. */
import type { Session } from '../cdp/session.ts';
import type { SlotClipboard } from '../clipboard/slot-clipboard.ts';
import { watchCopies } from '../clipboard/watch-copies.ts';
import { applyDeterminism, type Determinism } from '../determinism.ts';
import { NetworkGuard, type NetworkPolicy } from '../recordings/network-policy.ts';

export interface ContextSettingsOptions {
  determinism?: Determinism | undefined;
  network?: NetworkPolicy | undefined;
  /** Where the pages' copies are kept. Without it, they go to the clipboard of the browser. */
  clipboard?: SlotClipboard | undefined;
}

export class ContextSettings {
  readonly #now: () => number;
  readonly #clipboard: SlotClipboard | undefined;
  #determinism: Determinism | undefined;
  #guard: NetworkGuard;
  #startedAt: number;

  constructor({ determinism, network, clipboard }: ContextSettingsOptions, now: () => number) {
    this.#now = now;
    this.#clipboard = clipboard;
    this.#determinism = determinism;
    this.#guard = new NetworkGuard(network ?? { mode: 'live' });
    this.#startedAt = now();
  }

  /** They hold for the pages that are open and for all later ones. */
  async change(
    { network, determinism }: Omit<ContextSettingsOptions, 'clipboard'>,
    open: readonly { readonly session: Session }[],
  ): Promise<void> {
    if (network) this.#guard = new NetworkGuard(network);
    if (determinism) {
      this.#determinism = determinism;
      // The clock starts here, and not when the slot was prepared.
      this.#startedAt = this.#now();
    }
    await Promise.all(
      open.flatMap(({ session }) => [
        ...(determinism ? applyDeterminism(determinism, session, 'page', this.#startedAt) : []),
        ...(network ? this.#guard.apply(session, 'page') : []),
      ]),
    );
  }

  forPage(session: Session, kind: 'page' | 'iframe'): Promise<unknown>[] {
    return [
      ...(this.#clipboard ? watchCopies(session, this.#clipboard) : []),
      ...(this.#determinism ? applyDeterminism(this.#determinism, session, kind, this.#startedAt) : []),
      ...this.#guard.apply(session, 'page'),
    ];
  }

  forWorker(session: Session): Promise<unknown>[] {
    return [
      ...(this.#determinism ? applyDeterminism(this.#determinism, session, 'worker', this.#startedAt) : []),
      ...this.#guard.apply(session, 'worker'),
    ];
  }
}
