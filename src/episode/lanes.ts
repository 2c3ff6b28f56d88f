/** The lanes of an attempt: `main`, and those that the agent opens by name. */
import { WaymarkError } from '../errors/index.ts';
import { EXECUTOR_ID_RULE, executorIdSchema, MAIN_LANE, VerdictFold } from '../events/index.ts';
import { type AttemptContext, attemptEnded } from './attempt-context.ts';
import type { FinalVerdict } from './endings.ts';
import { serverLost } from './faults.ts';
import { Lane } from './lane.ts';

export interface LanesOptions {
  attempt: AttemptContext;
  /** `main` included. */
  limit: number;
  /** Runs what starts a lane; that costs the agent no time. */
  whileStarting: <T>(work: () => Promise<T>) => Promise<T>;
}

export class Lanes implements AsyncDisposable {
  readonly main: Lane;
  readonly #options: LanesOptions;
  readonly #lanes: Lane[];
  /** By name: every lane that was asked for, `main` included. */
  readonly #opening = new Map<string, Promise<Lane>>();

  constructor(options: LanesOptions) {
    const { attempt } = options;
    const { client, witness } = attempt.server;
    this.#options = options;
    this.main = new Lane(MAIN_LANE, attempt, {
      client,
      pages: witness.main,
      // It is its owner's, who may keep the server for the next attempt.
      close: async () => {},
    });
    this.#lanes = [this.main];
    this.#opening.set(MAIN_LANE, Promise.resolve(this.main));
  }

  get count(): number {
    return this.#lanes.length;
  }

  /** The lane of a name, opened when it is first asked for. */
  async get(id: string): Promise<Lane> {
    const { attempt, limit, whileStarting } = this.#options;
    if (attempt.isEnded()) throw attemptEnded();
    if (!executorIdSchema.safeParse(id).success) {
      const message = `The agent asked for an executor with the name ${JSON.stringify(id)}; ${EXECUTOR_ID_RULE}.`;
      throw attempt.fail(new WaymarkError({ code: 'adapter_error', message }));
    }
    const known = this.#opening.get(id);
    if (known) return known;
    if (this.#opening.size >= limit) {
      throw new WaymarkError({
        code: 'executor_limit',
        message: `The attempt has ${limit} lanes already, main included; "${id}" was not opened.`,
        hint: 'Let an executor that is free do the work.',
      });
    }
    const opening = whileStarting(() => this.#open(id));
    this.#opening.set(id, opening);
    // A lane that could not be opened is not counted.
    opening.catch(() => this.#opening.delete(id));
    return opening;
  }

  /** Settles when no lane has a call under way. */
  async idle(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.idle()));
  }

  /** The last look, at every lane's page that something was done on. The whole contract must hold on one of them. */
  async finish(timeoutMs: number): Promise<FinalVerdict> {
    await Promise.all(this.#lanes.map((lane) => lane.quiet(timeoutMs)));
    const fold = new VerdictFold();
    for (const lane of this.#lanes.filter(({ hasActed }) => hasActed))
      fold.add({ phase: 'final', verdict: await lane.finish(timeoutMs), executorId: lane.id });
    const { verdict = 'inconclusive', executorId = MAIN_LANE } = fold.last ?? {};
    if (verdict === 'pass') return executorId === MAIN_LANE ? { verdict } : { verdict, executorId };
    return {
      verdict,
      unanswered: this.#lanes.find(({ unanswered }) => unanswered !== undefined)?.unanswered,
      unopened: this.#options.attempt.openedPages?.problem,
      wall: this.#lanes.find(({ wall }) => wall !== undefined)?.wall,
      unseen: this.#lanes.find(({ unseen }) => unseen !== undefined)?.unseen,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled([...this.#opening.values()]);
    await Promise.all(this.#lanes.map(({ connection }) => connection.close()));
  }

  /** Lanes stand in the order in which they were asked for, whichever server starts first: the journal's last looks follow it. */
  #add(lane: Lane): void {
    const asked = [...this.#opening.keys()];
    this.#lanes.push(lane);
    this.#lanes.sort((a, b) => asked.indexOf(a.id) - asked.indexOf(b.id));
  }

  async #open(id: string): Promise<Lane> {
    const { attempt } = this.#options;
    try {
      const connection = await attempt.server.openLane(attempt.signal);
      const lane = new Lane(id, attempt, connection);
      // From here on it is closed with the others.
      this.#add(lane);
      if (attempt.isEnded()) throw attemptEnded();
      void connection.client.lost.then((reason) => attempt.fail(serverLost(reason)));
      await lane.open();
      return lane;
    } catch (error) {
      // The agent can go on without it; anything else is a fault.
      if (error instanceof WaymarkError && error.code === 'executor_unsupported') throw error;
      throw attempt.fail(error);
    }
  }
}
