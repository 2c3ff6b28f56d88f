/** The browser contexts that a tool server makes beside that of its episode. */
import { messageOf } from '../../errors/index.ts';
import type { ClientSocket } from './client-socket.ts';
import type { GateHooks } from './gate-hooks.ts';
import type { Incoming } from './gate-messages.ts';

/** How many contexts a server may have at a time beside that of the episode. */
const MAX_CONTEXTS = 32;

export class ClientContexts {
  readonly #hooks: Pick<GateHooks, 'contexts' | 'ownContexts'>;
  readonly #socket: ClientSocket;
  /** The contexts that end with this connection. */
  readonly #toDispose = new Set<string>();
  #isDetached = false;

  constructor(hooks: Pick<GateHooks, 'contexts' | 'ownContexts'>, socket: ClientSocket) {
    this.#hooks = hooks;
    this.#socket = socket;
  }

  async make(request: Incoming, disposeOnDetach: boolean): Promise<void> {
    const { contexts, ownContexts } = this.#hooks;
    if (ownContexts.size >= MAX_CONTEXTS)
      return this.#socket.refuse(request, -32000, `This connection has ${MAX_CONTEXTS} contexts; dispose of one first`);
    try {
      const browserContextId = await contexts.openContext();
      ownContexts.add(browserContextId);
      if (disposeOnDetach && this.#isDetached) return await this.#dispose(browserContextId);
      if (disposeOnDetach) this.#toDispose.add(browserContextId);
      this.#socket.reply(request, { result: { browserContextId } });
    } catch (error) {
      this.#socket.fail(request, messageOf(error));
    }
  }

  async dispose(request: Incoming, contextId: string): Promise<void> {
    this.#toDispose.delete(contextId);
    try {
      await this.#dispose(contextId);
      this.#socket.reply(request, { result: {} });
    } catch (error) {
      this.#socket.fail(request, messageOf(error));
    }
  }

  /** The connection ends: a context that is made from here on, and was to end with it, ends at once. */
  detach(): void {
    this.#isDetached = true;
  }

  async disposeDetached(): Promise<void> {
    for (const contextId of this.#toDispose) await this.#dispose(contextId).catch(() => {});
  }

  async #dispose(contextId: string): Promise<void> {
    await this.#hooks.contexts.closeContext(contextId);
    this.#hooks.ownContexts.delete(contextId);
  }
}
