/**
 * The one error type that people see.
 * The message says what happened to what; the hint says what to do about it.
 */
import { CODES, type ErrorCode, type Fault, statusOf } from './codes.ts';
import { databaseMessage } from './database-message.ts';

/** One finding of several: a line of a dataset, a field of a request, an entry of an archive. */
export interface ProblemIssue {
  /** Where: `results[3].timing`, `manifest.json`, `sections[0]`. */
  readonly path: string;
  /** Which rule: `crc`, `name_traversal`, `changed`. */
  readonly code: string;
  readonly message: string;
  readonly item_id?: string | undefined;
}

export interface WaymarkErrorOptions {
  /** Stable and machine-readable. `codes.ts` lists them all, each with its fault. */
  code: ErrorCode;
  message: string;
  /** What the reader can do next. */
  hint?: string | undefined;
  /** The findings one by one, where there are several. */
  issues?: readonly ProblemIssue[];
  cause?: unknown;
}

/** Issues past this are counted, not listed: a refusal of 10,000 lines is of no use to a reader. */
const MAX_ISSUES = 100;

/**
 * @example
 * throw new WaymarkError({
 *   code: 'browser_not_found',
 *   message: 'No Chromium was found on this machine.',
 *   hint: 'Install one (Debian: apt-get install chromium-headless-shell), or set WAYMARK_BROWSER to its path.',
 * });
 */
export class WaymarkError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly issues: readonly ProblemIssue[];

  constructor({ code, message, hint, issues = [], cause }: WaymarkErrorOptions) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'WaymarkError';
    this.code = code;
    this.hint = hint;
    this.issues = issues.length > MAX_ISSUES ? [...issues.slice(0, MAX_ISSUES), more(issues.length)] : issues;
  }

  /** Who has to act: it decides exit code, outcome class and HTTP status. */
  get fault(): Fault {
    return CODES[this.code].fault;
  }

  get status(): number {
    return statusOf(this.code);
  }

  /** What `--json` prints. */
  toJSON(): { code: ErrorCode; message: string; hint?: string; issues?: readonly ProblemIssue[] } {
    return {
      code: this.code,
      message: this.message,
      ...(this.hint === undefined ? {} : { hint: this.hint }),
      ...(this.issues.length === 0 ? {} : { issues: this.issues }),
    };
  }
}

function more(count: number): ProblemIssue {
  return { path: '', code: 'more', message: `${count - MAX_ISSUES} more are not listed.` };
}

/** The fault of anything that can be thrown; undefined for what is not a WaymarkError. */
export function errorFault(thrown: unknown): Fault | undefined {
  return thrown instanceof WaymarkError ? thrown.fault : undefined;
}

/** The text of anything that can be thrown, for people and logs. An error of the database is told without its statement and values. */
export function messageOf(thrown: unknown): string {
  return databaseMessage(thrown) ?? (thrown instanceof Error ? thrown.message : String(thrown));
}
