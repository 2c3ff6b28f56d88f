/** What a rule has to say about a task. */
import type { LoadedTask, TaskProblemCode } from '../../cases/index.ts';

/** An error makes the task useless or wrong; a warning makes it fragile. */
export type Severity = 'error' | 'warning';

/** Every rule, by what it finds. */
export const LINT_RULES = {
  bad_task: 'error',
  empty_contract: 'error',
  holds_at_start: 'error',
  vacuous_assertion: 'warning',
  bad_oracle: 'error',
  wrong_oracle: 'error',
  oracle_over_cap: 'error',
  no_oracle: 'warning',
  bad_recording: 'error',
  start_not_recorded: 'error',
  literal_date: 'warning',
  avoided_subject: 'warning',
  moving_target: 'warning',
  live_host: 'warning',
  caps: 'warning',
  placeholder: 'warning',
} as const satisfies Record<string, Severity>;

export interface Found {
  rule: keyof typeof LINT_RULES;
  /** Where in the task: `$.goal`. */
  path: string;
  /** A sentence. */
  message: string;
}

export interface Finding extends Found {
  /** The task's file, with a line for JSONL. */
  source: string;
  taskId?: string;
  severity: Severity;
  /** Of a `bad_task`: what kind of problem it is. */
  code?: TaskProblemCode;
}

export type Rule = (loaded: LoadedTask) => Found[];
