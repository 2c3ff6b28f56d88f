/** Whatever was thrown, in the form in which problems are shown. */
import { ApiProblem } from '../../../src/server/client.ts';

export function asProblem(thrown: unknown): ApiProblem {
  if (thrown instanceof ApiProblem) return thrown;
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  return new ApiProblem({
    status: 0,
    code: 'app_error',
    detail,
    hint: 'Reload the page. If that does not help, please report it.',
  });
}
