/** What a self-test finds. An error: the task can't be relied on. A warning: the author has something to look at. */

export const CHECK_RULES = {
  no_oracle: 'error',
  oracle_fails: 'error',
  oracle_ends_early: 'warning',
  start_passes: 'error',
  start_passes_on_purpose: 'warning',
  no_op_passes: 'error',
  solution_fails: 'error',
  near_miss_passes: 'error',
  near_miss_does_not_fit: 'error',
  step_not_checked: 'error',
  step_not_needed: 'warning',
  value_not_checked: 'error',
  value_not_needed: 'warning',
  repetition_not_checked: 'error',
  answer_not_checked: 'error',
  optional_step_needed: 'warning',
  never_passed: 'warning',
  not_judged: 'error',
} as const satisfies Record<string, 'error' | 'warning'>;

export interface CheckFinding {
  rule: keyof typeof CHECK_RULES;
  severity: 'error' | 'warning';
  /** A sentence: what was found, and what to do where that is not plain. */
  message: string;
  /** Of the oracle, from 1. */
  step?: number;
  /** The attempt that shows it, in the folder of the check. */
  attempt?: string;
}

export function finding(
  rule: CheckFinding['rule'],
  message: string,
  where: Pick<CheckFinding, 'step' | 'attempt'> = {},
): CheckFinding {
  return { rule, severity: CHECK_RULES[rule], message, ...where };
}
