/** A worker's tool server: kept from attempt to attempt as long as it answers. */
import type { Slot } from '../chromium/index.ts';
import { type AttachedServer, attachServer, type ServerProfile } from '../tools/index.ts';

/** A kept server that does not answer a ping for this long is replaced. */
const PING_MS = 2_000;

export class ServerLease implements AsyncDisposable {
  readonly #profile: ServerProfile;
  readonly #fresh: boolean;
  readonly #onSlowStart: ((sentence: string) => void) | undefined;
  #attached: AttachedServer | undefined;

  constructor(profile: ServerProfile, fresh: boolean, onSlowStart?: (sentence: string) => void) {
    this.#profile = profile;
    this.#fresh = fresh;
    this.#onSlowStart = onSlowStart;
  }

  async attach(slot: Slot): Promise<AttachedServer> {
    const kept = this.#attached;
    if (kept && (await kept.client.answers(PING_MS))) {
      await kept.retarget(slot);
      return kept;
    }
    await this.#end();
    this.#attached = await attachServer(this.#profile, slot, { fresh: this.#fresh, onSlowStart: this.#onSlowStart });
    return this.#attached;
  }

  /**
   * After an attempt, while its slot is still there. A server that has left a call unanswered is ended: it may be frozen, or still at work on
   * that call, and would do so in the next attempt.
   */
  async letGo(): Promise<void> {
    if (this.#attached?.client.hasUnanswered()) return this.#end();
    // A server that fails here is replaced by the next `attach`.
    await this.#attached?.letGo().catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
  }

  async #end(): Promise<void> {
    const attached = this.#attached;
    this.#attached = undefined;
    await attached?.dispose();
  }
}
