/**
 * Whose an event is: an executor's, by its name, or the agent's (the orchestrator's) own. The lane `main` is the agent's, unless an
 * orchestrator has an executor work on it: then what happens there between a delegation and its result is that executor's.
 */
import { type JournalEvent, laneOf, MAIN_LANE } from './events.ts';

/** Who said or called something: a role where the agent names one, and the lane. */
interface Doer {
  role?: string | undefined;
  executorId?: string | undefined;
}

export class Owners {
  #openOnMain = 0;

  add(event: JournalEvent): void {
    if (event.type !== 'message') return;
    const { message } = event;
    if (message.type === 'delegation' && message.executorId === MAIN_LANE) this.#openOnMain++;
    else if (message.type === 'delegation_result' && message.executorId === MAIN_LANE)
      this.#openOnMain = Math.max(0, this.#openOnMain - 1);
  }

  /** The executor's name; undefined for the agent or the orchestrator. */
  of(doer: Doer): string | undefined {
    const lane = laneOf(doer);
    if (lane !== MAIN_LANE || doer.role === 'executor') return lane;
    return doer.role === undefined && this.#openOnMain > 0 ? lane : undefined;
  }
}
