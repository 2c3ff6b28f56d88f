/** The result of a checker for one response. */
import type { Measure } from '../../cases/index.ts';

export type ScoreVerdict = 'pass' | 'fail' | 'error' | 'skipped';

export interface CheckResult {
  /** 0 to 1; null if there is no result. */
  readonly value: number | null;
  readonly verdict: ScoreVerdict;
  readonly detail: CheckDetail;
}

export interface CheckDetail {
  /** One sentence. */
  readonly reason: string;
  /** What was found in the response. */
  readonly found?: string | number | readonly string[] | undefined;
  readonly expected?: string | number | readonly string[] | undefined;
  readonly precision?: number;
  readonly recall?: number;
}

/** Given to the checkers of lists and objects, which check their values by it. */
export type CheckAnswer = (measure: Measure, response: string) => CheckResult;

export function passIf(isRight: boolean, detail: CheckDetail): CheckResult {
  return { value: isRight ? 1 : 0, verdict: isRight ? 'pass' : 'fail', detail };
}

export function fail(detail: CheckDetail): CheckResult {
  return passIf(false, detail);
}

/** The check itself failed. This is never the fault of the answer, so there is no value. */
export function checkError(reason: string): CheckResult {
  return { value: null, verdict: 'error', detail: { reason } };
}

export function skipped(reason: string): CheckResult {
  return { value: null, verdict: 'skipped', detail: { reason } };
}

/** Shortens long or hostile text for details. */
export function quote(text: string, max = 200): string {
  return text.length > max ? `${text.slice(0, max).toWellFormed()}…` : text;
}
