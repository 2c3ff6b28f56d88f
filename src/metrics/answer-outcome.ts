/** The outcome class of a question: its journal says whether there is an answer, its deciding grade whether the answer is right. */
import type { OutcomeClass } from './outcome.ts';

/** Why there is no answer, by the code of the attempt's error. None of these is a wrong answer; `timeout` alone is the model's own. */
export const ANSWER_ERRORS = {
  // Calls of a model (`ItemErrorCode` of models/).
  key_missing: 'env_error',
  key_withheld: 'env_error',
  address_refused: 'env_error',
  network: 'env_error',
  rate_limited: 'blocked_by_site',
  refused: 'blocked_by_site',
  server_error: 'server_error',
  bad_reply: 'server_error',
  reply_too_large: 'server_error',
  timeout: 'timeout',
  // Captures of a chat page; `rate_limited` is the same as above.
  new_chat_failed: 'adapter_error',
  composer_not_found: 'adapter_error',
  composer_mismatch: 'adapter_error',
  send_disabled: 'adapter_error',
  send_not_confirmed: 'adapter_error',
  aborted: 'adapter_error',
  site_notice: 'blocked_by_site',
  not_logged_in: 'blocked_by_site',
  no_response_start: 'server_error',
  response_timeout: 'timeout',
  // Both: something replied, and there was no text in it.
  empty_response: 'server_error',
} as const satisfies Record<string, OutcomeClass>;

export type AnswerState =
  | { readonly status: 'answered'; readonly verdict: 'pass' | 'fail' | 'error' | 'skipped' | null }
  | { readonly status: 'error'; readonly code: string }
  | { readonly status: 'missing' };

/**
 * @returns null where there is no outcome: an item that was never asked, or an answer that nothing has graded or can grade.
 *
 * @example
 * answerOutcome({ status: 'answered', verdict: 'pass' }); // => 'passed'
 * answerOutcome({ status: 'error', code: 'not_logged_in' }); // => 'blocked_by_site'
 */
export function answerOutcome(state: AnswerState): OutcomeClass | null {
  if (state.status === 'missing') return null;
  // A code of a later version: who asked could not say what it was.
  if (state.status === 'error')
    return Object.hasOwn(ANSWER_ERRORS, state.code)
      ? ANSWER_ERRORS[state.code as keyof typeof ANSWER_ERRORS]
      : 'adapter_error';
  switch (state.verdict) {
    case 'pass':
      return 'passed';
    case 'fail':
      return 'failed';
    case 'error':
      return 'grader_error';
    default:
      return null;
  }
}
