/** What the server refused, as it says so itself (`application/problem+json`). */
import type { Problem } from '../../../src/server/index.ts';

type Given = Pick<Problem, 'status' | 'code' | 'detail'> & Partial<Pick<Problem, 'hint' | 'issues'>>;

export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;
  readonly issues: Problem['issues'];

  constructor({ status, code, detail, hint, issues = [] }: Given) {
    super(detail);
    this.name = 'ApiProblem';
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.issues = issues;
  }
}

export async function problemOf(response: Response): Promise<ApiProblem> {
  // A body that is not JSON says nothing; the status is shown instead.
  const said = response.headers.get('content-type')?.includes('json') ? await response.json().catch(() => null) : null;
  if (isProblem(said)) return new ApiProblem(said);
  const { status } = response;
  return new ApiProblem({ status, code: 'unexpected', detail: `The server answered with status ${status}.` });
}

/** Whatever was thrown, in the form in which problems are shown. */
export function asProblem(thrown: unknown): ApiProblem {
  if (thrown instanceof ApiProblem) return thrown;
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  return new ApiProblem({ status: 0, code: 'app_error', detail, hint: 'Reload the page. If it stays, report it.' });
}

function isProblem(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && 'code' in value && 'detail' in value && 'status' in value;
}
