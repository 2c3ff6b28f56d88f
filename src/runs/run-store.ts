/**
 * Where runs are kept. One port with two implementations: a folder (one writer process, claims in memory) and a database (many workers,
 * claims by lease). The contract test in test/runs/ runs against all of them.
 */
import type { AttemptRef, Cell, CellState, Grade, JournalEvent, NewEvent, RunPlan } from '../events/index.ts';

/** The right to write one attempt. A worker that lost its lease writes nothing more. */
export interface Claim {
  readonly attempt: AttemptRef;
  readonly lease: number;
}

export interface AttemptWriter {
  /** Numbers and stamps the event. What has been appended survives a kill of the process once `flush` or `finish` has resolved. */
  append<T extends NewEvent>(event: T): JournalEvent;
  flush(): Promise<void>;
  /** After `stop`. Rejects with `lease_lost` where another worker has taken over the attempt. */
  finish(): Promise<void>;
}

/** A cell with its attempts, oldest first. The last finished one counts. */
export interface CellRecord extends Cell {
  readonly state: CellState;
  readonly attempts: readonly { readonly attempt: number; readonly finished: boolean }[];
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
  open(claim: Claim): Promise<AttemptWriter>;
  /** A whole run whose attempts have ended already (an imported capture), in one transaction. */
  addFinished(plan: RunPlan, attempts: readonly FinishedAttempt[]): Promise<void>;
  appendGrades(attempt: AttemptRef, grades: readonly Grade[]): Promise<void>;
  cells(runId: string): AsyncIterable<CellRecord>;
  events(attempt: AttemptRef): AsyncIterable<JournalEvent>;
  grades(attempt: AttemptRef): Promise<Grade[]>;
}
