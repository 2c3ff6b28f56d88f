/** A worker's tool server: kept from attempt to attempt where it can be. */
import type { Slot } from '../chromium/index.ts';
import { type AttachedServer, attachServer, type ServerProfile } from '../tools/index.ts';

export class ServerLease implements AsyncDisposable {
  readonly #profile: ServerProfile;
  readonly #fresh: boolean;
  #attached: AttachedServer | undefined;

  constructor(profile: ServerProfile, fresh: boolean) {
    this.#profile = profile;
    this.#fresh = fresh;
  }

  async attach(slot: Slot): Promise<AttachedServer> {
    if (this.#attached) await this.#attached.retarget(slot);
    else this.#attached = await attachServer(this.#profile, slot, { fresh: this.#fresh });
    return this.#attached;
  }

  /** After an attempt. A server that fails here is replaced by the next `attach`. */
  async letGo(): Promise<void> {
    await this.#attached?.letGo().catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#attached?.dispose();
  }
}
