/** The executors of an attempt by their id, each opened when it is first named. */

import type { Session } from '../../episode/index.ts';
import { MAIN_LANE } from '../../events/index.ts';
import { Executor, type ExecutorOptions } from './executor.ts';

export class ExecutorStore {
  readonly #session: Session;
  readonly #options: ExecutorOptions;
  readonly #executors = new Map<string, Promise<Executor>>();

  constructor(session: Session, options: ExecutorOptions) {
    this.#session = session;
    this.#options = options;
  }

  /** Ids of the executors that were asked for. */
  get ids(): string[] {
    return [...this.#executors.keys()];
  }

  /**
   * `main` works on the tab that shows the start page, so that a tool server that can't have two lanes has an executor too; the others each
   * begin with a blank tab.
   *
   * @throws WaymarkError `executor_limit` or `executor_unsupported` where there can't be another.
   */
  get(id: string = MAIN_LANE): Promise<Executor> {
    const known = this.#executors.get(id);
    if (known) return known;
    const opening = this.#session.executor(id).then((lane) => Executor.open(id, lane, this.#options));
    this.#executors.set(id, opening);
    // One that could not be opened is not an executor.
    opening.catch(() => this.#executors.delete(id));
    return opening;
  }
}
