/** What the pages and workers of a context are set to before they run: determinism, the network policy, and where their copies are kept. */
import type { Session } from '../cdp/session.ts';
import type { SlotClipboard } from '../clipboard/slot-clipboard.ts';
import { watchCopies } from '../clipboard/watch-copies.ts';
import { applyDeterminism, type Determinism } from '../determinism.ts';
import { NetworkGuard, type NetworkPolicy } from '../recordings/network-policy.ts';
import type { ContextLogs } from './context-logs.ts';

export interface ContextSettingsOptions {
  determinism?: Determinism | undefined;
  network?: NetworkPolicy | undefined;
  /** Where the pages' copies are kept. Without it, they go to the clipboard of the browser. */
  clipboard?: SlotClipboard | undefined;
}

export class ContextSettings {
  readonly #logs: ContextLogs;
  readonly #clipboard: SlotClipboard | undefined;
  #determinism: Determinism | undefined;
  #guard: NetworkGuard;
  #startedAt: number;

  constructor({ determinism, network, clipboard }: ContextSettingsOptions, logs: ContextLogs) {
    this.#logs = logs;
    this.#clipboard = clipboard;
    this.#determinism = determinism;
    this.#guard = this.#newGuard(network ?? { mode: 'live' });
    this.#startedAt = logs.now();
  }

  /** They hold for the pages that are open and for all later ones. */
  async change(
    { network, determinism }: Omit<ContextSettingsOptions, 'clipboard'>,
    open: readonly { readonly session: Session }[],
  ): Promise<void> {
    if (network) this.#guard = this.#newGuard(network);
    if (determinism) {
      this.#determinism = determinism;
      // The clock starts here, and not when the slot was prepared.
      this.#startedAt = this.#logs.now();
    }
    await Promise.all(
      open.flatMap(({ session }) => [
        ...(determinism ? applyDeterminism(determinism, session, 'page', this.#startedAt) : []),
        ...(network ? this.#guard.apply(session, 'page') : []),
      ]),
    );
  }

  /** Whether the network policy keeps a WebSocket from being opened. */
  blocksSocket(url: string): boolean {
    return this.#guard.blocksSocket(url);
  }

  #newGuard(policy: NetworkPolicy): NetworkGuard {
    return new NetworkGuard(policy, (request) => this.#logs.requestBlocked(request));
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
