/** The codes by which the server says that a judge is missing or cannot be used. */
import type { ErrorCode } from '../../../src/errors/index.ts';

const JUDGE_CODES: readonly (ErrorCode | 'judge_key_missing' | 'judge_key_withheld')[] = [
  'judge_required',
  'judge_provider_invalid',
  'judge_model_missing',
  // Only in the preflight: a run that is started says them of each item.
  'judge_key_missing',
  'judge_key_withheld',
];

export function isAboutJudge(code: string): boolean {
  return JUDGE_CODES.some((one) => one === code);
}
