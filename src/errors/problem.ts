/** What the Browser Harness refuses, as one error type: the table of codes and HTTP statuses is the interchange format's. */
import { WaymarkError } from './waymark-error.ts';

export const PROBLEM_STATUS = {
  request_invalid: 400,
  token_missing: 400,
  token_malformed: 400,
  token_invalid: 401,
  token_expired: 410,
  dataset_not_found: 404,
  dataset_invalid: 422,
  dataset_changed: 409,
  target_mismatch: 422,
  payload_too_large: 413,
  unsupported_media: 415,
  archive_invalid: 422,
  archive_unsafe: 422,
  unknown_items: 422,
  duplicate_items: 422,
  prompt_mismatch: 422,
  empty_capture: 422,
  idempotency_key_reused: 422,
  judge_required: 422,
  judge_provider_invalid: 422,
  judge_model_missing: 422,
  pack_empty: 422,
  run_empty: 422,
  scope_unsupported: 422,
  runs_not_comparable: 422,
} as const;

export type ProblemCode = keyof typeof PROBLEM_STATUS;

export interface ProblemIssue {
  /** Where: `results[3].timing`, `manifest.json`, `sections[0]`. */
  readonly path: string;
  /** Which rule: `crc`, `name_traversal`, `changed`. */
  readonly code: string;
  readonly message: string;
  readonly item_id?: string;
}

/** Problems past this are counted, not listed: a refusal of 10,000 lines helps nobody. */
export const MAX_ISSUES = 100;

/** `status` and `issues` go into `application/problem+json` as they are. Nothing in it was ever stored. */
export class HarnessProblem extends WaymarkError {
  declare readonly code: ProblemCode;
  readonly status: number;
  readonly issues: readonly ProblemIssue[];

  constructor(code: ProblemCode, message: string, issues: readonly ProblemIssue[] = [], hint?: string) {
    super({ code, message, ...(hint === undefined ? {} : { hint }) });
    this.name = 'HarnessProblem';
    this.status = PROBLEM_STATUS[code];
    this.issues = issues.length > MAX_ISSUES ? [...issues.slice(0, MAX_ISSUES), more(issues.length)] : issues;
  }

  override toJSON(): { code: string; message: string; hint?: string; status: number; issues: readonly ProblemIssue[] } {
    return { ...super.toJSON(), status: this.status, issues: this.issues };
  }
}

function more(count: number): ProblemIssue {
  return { path: '', code: 'more', message: `${count - MAX_ISSUES} more are not listed.` };
}

/** A few ids for a sentence; the rest as a number. */
export function someOf(ids: readonly string[], show = 5): string {
  const shown = ids.slice(0, show).join(', ');
  return ids.length > show ? `${shown} and ${ids.length - show} more` : shown;
}
