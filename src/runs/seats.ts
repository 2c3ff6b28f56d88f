/**
 * The places where attempts are executed: as many as attempts run at a time, each with a tool server of its own. An attempt leaves its seat
 * when its episode is over and before it is written, so that with more lanes than seats the next one begins meanwhile. Who has a seat
 * claims: nothing is claimed that would only wait here while another worker is idle.
 */
import type { Claim } from './run-store.ts';
import type { ServerLease } from './server-lease.ts';

export interface Seat {
  readonly server: ServerLease;
  /** While the slot of the attempt is still there. May be called again. */
  leave(): Promise<void>;
}

export class Seats implements AsyncDisposable {
  readonly #servers: readonly ServerLease[];
  readonly #free: ServerLease[];
  readonly #waiting: ((server: ServerLease) => void)[] = [];

  constructor(count: number, makeServer: () => ServerLease) {
    this.#servers = Array.from({ length: count }, makeServer);
    this.#free = [...this.#servers];
  }

  /** Each claim with a seat, which is taken before the claim is made. The seat is left, at the latest, when the next one is asked for. */
  async *withSeats(claims: AsyncIterable<Claim>): AsyncGenerator<{ claim: Claim; seat: Seat }, void, undefined> {
    const source = claims[Symbol.asyncIterator]();
    let seat: Seat | undefined;
    try {
      for (;;) {
        seat = await this.#take();
        const next = await source.next();
        if (next.done) return;
        yield { claim: next.value, seat };
        await seat.leave();
      }
    } finally {
      await seat?.leave();
      await source.return?.();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) await server[Symbol.asyncDispose]();
  }

  async #take(): Promise<Seat> {
    const server = this.#free.pop() ?? (await new Promise<ServerLease>((resolve) => this.#waiting.push(resolve)));
    let left: Promise<void> | undefined;
    return {
      server,
      leave: () => {
        left ??= server.letGo().finally(() => this.#giveOn(server));
        return left;
      },
    };
  }

  #giveOn(server: ServerLease): void {
    const next = this.#waiting.shift();
    if (next) next(server);
    else this.#free.push(server);
  }
}
