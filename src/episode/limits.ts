/** Every bound of an attempt that its task does not set, in one place. */

export const ATTEMPT_LIMITS = {
  /** A call that gets no answer for this long, while the attempt has time left, is a fault of the server. */
  callTimeoutMs: 60_000,
  /** A call that is under way when the time of the task is used up has this long to be answered; then it is the server's fault. */
  answerMs: 5_000,
  /** A server that says that it has shown the start page, while nothing was requested, has this long to do so. */
  startMs: 5_000,
  /** Looks of the agent in one attempt. A transcript needs a handful for each action; an agent that only ever looks is stopped here. */
  looks: 1_000,
  /** Lanes of one attempt, `main` included. */
  lanes: 4,
  /** The time that an agent has to settle once its attempt has ended. */
  settleMs: 1_000,
  /** The time that it has then to end its processes, some of which end only when they are killed. */
  disposeMs: 10_000,
  /** A contract that holds for less than this has not passed. */
  passHoldsMs: 150,
  /** The last look of an attempt may wait for a page; after a fault it must not delay the end. */
  finalLookMs: 2_000,
  faultLookMs: 400,
  /** What a model is asked about the last page, where no earlier look has asked it. */
  finalAnswerMs: 60_000,
  /** The page with the application's state has this long to show it, once before and once after the attempt. */
  stateMs: 15_000,
  /** Characters of the agent's final answer that a contract is evaluated on. */
  answerLength: 10_000,
} as const;
