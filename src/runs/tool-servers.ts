/**
 * The tool servers of a run, one for each attempt that goes on at the same time. An attempt gives its server back when its episode is over
 * and before it is written, so that the next one can begin meanwhile. A claim is made only with a server at hand: nothing is claimed that
 * would wait here while another worker is idle.
 */
import type { Claim } from './run-store.ts';
import type { ServerLease } from './server-lease.ts';

export interface TakenServer {
  readonly lease: ServerLease;
  /** While the slot of the attempt is still there. May be called again. */
  giveBack(): Promise<void>;
}

export class ToolServers implements AsyncDisposable {
  readonly #all: readonly ServerLease[];
  readonly #free: ServerLease[];
  readonly #waiting: ((lease: ServerLease) => void)[] = [];

  constructor(count: number, make: () => ServerLease) {
    this.#all = Array.from({ length: count }, make);
    this.#free = [...this.#all];
  }

  /** Each claim with a server, which is given back, at the latest, when the next claim is asked for. */
  async *withClaims(
    claims: AsyncIterable<Claim>,
  ): AsyncGenerator<{ claim: Claim; server: TakenServer }, void, undefined> {
    const source = claims[Symbol.asyncIterator]();
    let server: TakenServer | undefined;
    try {
      for (;;) {
        server = await this.#take();
        const next = await source.next();
        if (next.done) return;
        yield { claim: next.value, server };
        await server.giveBack();
      }
    } finally {
      await server?.giveBack();
      await source.return?.();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const lease of this.#all) await lease[Symbol.asyncDispose]();
  }

  async #take(): Promise<TakenServer> {
    const lease = this.#free.pop() ?? (await new Promise<ServerLease>((resolve) => this.#waiting.push(resolve)));
    let givenBack: Promise<void> | undefined;
    return {
      lease,
      giveBack: () => {
        givenBack ??= lease.letGo().finally(() => this.#passOn(lease));
        return givenBack;
      },
    };
  }

  #passOn(lease: ServerLease): void {
    const next = this.#waiting.shift();
    if (next) next(lease);
    else this.#free.push(lease);
  }
}
