/** The outcome class of a question: its journal says whether there is an answer, its deciding grade whether the answer is right. */
import type { OutcomeClass } from './outcome.ts';

/**
 * Why there is no answer, by the code of the attempt's error. None of these is a wrong answer.
 * Whoever asked is the adapter here: Waymark's own client for models, or the script in a chat page.
 */
export const ANSWER_ERRORS: Readonly<Record<string, OutcomeClass>> = {
  // From calls of a model.
  key_missing: 'env_error',
  address_refused: 'env_error',
  network: 'env_error',
  timeout: 'timeout',
  rate_limited: 'blocked_by_site',
  server_error: 'server_error',
  refused: 'server_error',
  malformed: 'server_error',
  empty_response: 'failed',
};
