/** A run in short: all that statistics, comparisons, trends and baseline files need of it. */
import type { OutcomeClass } from './outcome.ts';

/** One case and trial, by the attempt that counts. A number that is not known is null, and never zero. */
export interface SampledTrial {
  caseId: string;
  /** From 1. */
  trial: number;
  /** Null where it has not finished, or where nothing has graded it. */
  outcome: OutcomeClass | null;
  /** The number of the attempt that counts, from 1; 0 where there is none. */
  attempt: number;
  steps: number | null;
  durationMs: number | null;
  tokens: number | null;
  costUsd: number | null;
}

export interface SampledCase {
  id: string;
  tags: string[];
  /** The hash of what decides: a task's contract, a question with its checker. Null where no attempt names it. */
  contract: string | null;
  /** The rules by which its task failed `waymark check`. No claim that rests on it is a headline. */
  failedCheck?: string[] | undefined;
}

export interface RunSample {
  runId: string;
  /** What was under test, for people. */
  name: string;
  kind: 'tasks' | 'questions';
  /** ISO 8601. */
  startedAt: string;
  suite: { name: string; hash: string };
  /** Everything but the cases that has a say in the results. Long values and secrets are hashes. */
  settings: Record<string, string>;
  /** Name → version of everything that could change the result: browser, server, agent, model. */
  versions: Record<string, string>;
  /** Why no number of this run is a headline: it was made with the test model, or with recovery search. */
  notes: string[];
  cases: SampledCase[];
  trials: SampledTrial[];
}
