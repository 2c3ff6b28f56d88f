/** When the agent's time runs: not while a lane is started, and not while every lane waits for the harness. */
import type { Deadline } from './deadline.ts';

export class AttemptClock {
  readonly #deadline: Deadline;
  readonly #laneCount: () => number;
  readonly #waiting = new Set<string>();
  #starting = 0;

  constructor(deadline: Deadline, laneCount: () => number) {
    this.#deadline = deadline;
    this.#laneCount = laneCount;
  }

  async whileWaiting<T>(lane: string, work: () => Promise<T>): Promise<T> {
    this.#waiting.add(lane);
    this.#set();
    try {
      return await work();
    } finally {
      this.#waiting.delete(lane);
      this.#set();
    }
  }

  async whileStarting<T>(work: () => Promise<T>): Promise<T> {
    this.#starting++;
    this.#set();
    try {
      return await work();
    } finally {
      this.#starting--;
      this.#set();
    }
  }

  #set(): void {
    if (this.#starting > 0 || this.#waiting.size === this.#laneCount()) this.#deadline.pause();
    else this.#deadline.run();
  }
}
