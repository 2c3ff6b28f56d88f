/** A finding of a lint rule. */
import type { LoadedTask, TaskProblemCode } from '../../cases/index.ts';

/** An error means that the task is wrong; a warning, that it is fragile. */
export type Severity = 'error' | 'warning';

/** Every rule with its severity. */
export const LINT_RULES = {
  bad_task: 'error',
  empty_contract: 'error',
  holds_at_start: 'error',
  vacuous_assertion: 'warning',
  needs_model: 'warning',
  forgeable_contract: 'warning',
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
  /** The position in the task, such as `$.goal`. */
  path: string;
  /** A sentence. */
  message: string;
}

export interface Finding extends Found {
  /** The task's file, with the line for JSONL. */
  source: string;
  taskId?: string;
  severity: Severity;
  /** For `bad_task`: the kind of problem. */
  code?: TaskProblemCode;
}

export type Rule = (loaded: LoadedTask) => Found[];
