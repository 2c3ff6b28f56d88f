/** What a checker says about one response. */
export type ScoreVerdict = 'pass' | 'fail' | 'error' | 'skipped';

export interface CheckResult {
  /** 0..1; null where nothing could be said. */
  readonly value: number | null;
  readonly verdict: ScoreVerdict;
  readonly detail: CheckDetail;
}

export interface CheckDetail {
  /** One sentence. */
  readonly reason: string;
  /** What was read out of the response. */
  readonly found?: string | number | readonly string[] | undefined;
  readonly expected?: string | number | readonly string[] | undefined;
  readonly precision?: number;
  readonly recall?: number;
}

export function passIf(isRight: boolean, detail: CheckDetail): CheckResult {
  return { value: isRight ? 1 : 0, verdict: isRight ? 'pass' : 'fail', detail };
}

export function fail(detail: CheckDetail): CheckResult {
  return passIf(false, detail);
}

/** The check itself could not be made: never the answer's fault, so no value. */
export function checkError(reason: string): CheckResult {
  return { value: null, verdict: 'error', detail: { reason } };
}

export function skipped(reason: string): CheckResult {
  return { value: null, verdict: 'skipped', detail: { reason } };
}

/** For details: long or hostile text is cut. */
export function quote(text: string, max = 200): string {
  return text.length > max ? `${text.slice(0, max).toWellFormed()}…` : text;
}
