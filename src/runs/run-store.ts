/**
 * Where runs are kept. One port with two implementations: a folder (one writer process, claims in memory) and a database (many workers,
 * claims by lease). The contract test in test/runs/ runs against all of them.
 */
import type {
  AttemptRef,
  Cell,
  CellState,
  EventOf,
  EventType,
  Grade,
  JournalEvent,
  NewEvent,
  RunPlan,
} from '../events/index.ts';
import type { OutcomeClass } from '../metrics/index.ts';

/** The right to write one attempt. A worker that lost its lease writes nothing more. */
export interface Claim {
  readonly attempt: AttemptRef;
  readonly lease: number;
  /** The case as it was when the run was made, where the store keeps it: a worker on another machine has no file of it. */
  readonly snapshot?: Readonly<Record<string, unknown>>;
  /** The seed of Math.random() in the pages of this attempt. */
  readonly seed?: number;
}

export interface OpenOptions {
  /** Until it has ended, nothing of the attempt is worth keeping: a question without its answer. A store may then save the write that begins it. */
  readonly isShort?: boolean | undefined;
}

/** Disposed without `finish`, the attempt counts as cut off: it stays, and its cell is claimed again when the run is resumed. */
export interface AttemptWriter extends AsyncDisposable {
  /**
   * For files beside the journal (pictures, the ledger): what it holds when the attempt is finished is kept with it. Absent where a store
   * keeps no such files; a browser task needs one.
   */
  readonly folder?: string;
  /** Aborted when the claim turns out to be lost: what the attempt still does is for nothing. */
  readonly signal?: AbortSignal;
  /** Numbers and stamps the event. What has been appended survives a kill of the process once `flush` or `finish` has resolved. */
  append<T extends EventType>(event: NewEvent<T> & { type: T }): EventOf<T>;
  flush(): Promise<void>;
  /** After `stop`. Rejects with `lease_lost` where another worker has taken over the attempt. */
  finish(options?: RetryInStore): Promise<void>;
}

/** For stores that many workers share: whether a cell is tried again is decided with the end of its attempt, in one statement. */
export interface RetryInStore {
  /** The cell is open again, unless so many of its earlier attempts have ended. An attempt that was cut off has not. */
  readonly retries?: number | undefined;
}

export interface AttemptRecord {
  readonly attempt: number;
  /** It has its `stop`, and not because the run was stopped. */
  readonly finished: boolean;
  /** Why it could not be begun: such an attempt has no journal. */
  readonly notBegun?: string;
}

/** Why an attempt could not be begun, and the outcome class that it counts as: never the agent's failure. */
export interface NotBegun extends RetryInStore {
  readonly reason: string;
  readonly outcome: OutcomeClass;
}

/** A cell with its attempts, oldest first. The last finished one counts. */
export interface CellRecord extends Cell {
  readonly state: CellState;
  readonly attempts: readonly AttemptRecord[];
}

export interface FinishedAttempt {
  readonly attempt: AttemptRef;
  /** Ends with `stop`. */
  readonly events: readonly JournalEvent[];
  readonly grades?: readonly Grade[];
}

export interface RunStore {
  create(plan: RunPlan): Promise<void>;
  plan(runId: string): Promise<RunPlan | undefined>;
  /** The next cells that have no finished attempt and no live claim, each as a new attempt. */
  claim(runId: string, worker: string, count: number): Promise<Claim[]>;
  open(claim: Claim, options?: OpenOptions): Promise<AttemptWriter>;
  /**
   * The attempt was not begun. With a reason it stays as an attempt without a journal, and its cell is `missing` until the run is resumed;
   * without one (the run was stopped) nothing stays, and the cell is `pending` again. Gives the folder for files beside the reason, where the
   * store has one.
   */
  giveUp(claim: Claim, why?: NotBegun): Promise<string | undefined>;
  /** These cells are to be claimed once more, though they have a finished attempt: it ended by a fault that was not the agent's. */
  reopen(runId: string, cells: readonly Cell[]): Promise<void>;
  /** No more attempts will be made now: all cells are finished, or the run was stopped. */
  end(runId: string, endedAt: number): Promise<void>;
  /** A whole run whose attempts have ended already (an imported capture), in one transaction. */
  addFinished(plan: RunPlan, attempts: readonly FinishedAttempt[]): Promise<void>;
  /** Refused with `grade_exists` where the attempt has a grade of that grader and round. */
  appendGrades(attempt: AttemptRef, grades: readonly Grade[]): Promise<void>;
  /** In the order of the plan. */
  cells(runId: string): AsyncIterable<CellRecord>;
  events(attempt: AttemptRef): AsyncIterable<JournalEvent>;
  grades(attempt: AttemptRef): Promise<Grade[]>;
  /** A file that is kept with an attempt (`screenshots/003.jpg`); undefined where there is none. */
  artifact(attempt: AttemptRef, key: string): Promise<Uint8Array | undefined>;
  /** Keeps a file with an attempt that has ended: what a grader writes. A file that is there already is never written over. */
  keepArtifact(attempt: AttemptRef, key: string, content: Uint8Array): Promise<void>;
}
