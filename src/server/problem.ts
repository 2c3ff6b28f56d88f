/** Errors as `application/problem+json` (RFC 9457), with a stable `code` and the `issues` one by one. */
import { z } from '@hono/zod-openapi';
import type { z as zod } from 'zod';
import { WaymarkError } from '../errors/index.ts';

export const issueSchema = z.object({
  path: z.string().openapi({ example: 'items[3].prompt_text' }),
  code: z.string(),
  message: z.string(),
  item_id: z.string().optional(),
});

export const problemSchema = z
  .object({
    type: z.string().openapi({ example: 'about:blank' }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string().openapi({ example: 'not_found' }),
    hint: z.string().optional(),
    issues: z.array(issueSchema),
  })
  .openapi('Problem');

export type Issue = z.infer<typeof issueSchema>;
export type Problem = z.infer<typeof problemSchema>;

export interface ProblemOptions {
  status: number;
  code: string;
  detail: string;
  hint?: string | undefined;
  issues?: readonly Issue[];
  headers?: Record<string, string>;
}

/** An answer that says what went wrong. */
export function problem({ status, code, detail, hint, issues = [], headers = {} }: ProblemOptions): Response {
  const body: Problem = {
    type: 'about:blank',
    title: TITLES[status] ?? (status >= 500 ? 'Server error' : 'Request refused'),
    status,
    detail,
    code,
    ...(hint ? { hint } : {}),
    issues: [...issues],
  };
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...headers },
  });
}

/** For `responses` of a route: these statuses are problems. */
export function problemResponses(...statuses: number[]) {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: TITLES[status] ?? 'Refused',
        content: { 'application/problem+json': { schema: problemSchema } },
      },
    ]),
  );
}

/** Thrown where a status other than the code's usual one, or issues, belong to the refusal. */
export class ProblemError extends WaymarkError {
  readonly status: number;
  readonly issues: readonly Issue[];

  constructor(status: number, code: string, message: string, issues: readonly Issue[] = [], hint?: string) {
    super({ code, message, ...(hint ? { hint } : {}) });
    this.name = 'ProblemError';
    this.status = status;
    this.issues = issues;
  }
}

export function invalidRequest(error: Pick<zod.ZodError, 'issues'>, target: string): ProblemError {
  const issues = error.issues.map(({ path, code, message }) => ({
    path: path
      .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index ? '.' : ''}${String(part)}`))
      .join(''),
    code: code ?? 'invalid',
    message,
  }));
  const where = target === 'json' ? 'body' : target;
  return new ProblemError(400, 'request_invalid', `The ${where} of the request is not as it should be.`, issues);
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Not authorised',
  403: 'Forbidden',
  404: 'Not found',
  409: 'Conflict',
  410: 'Gone',
  413: 'Too large',
  415: 'Unsupported media type',
  421: 'Misdirected request',
  422: "Can't be processed",
  429: 'Too many requests',
  500: 'Server error',
  503: 'Not ready',
};
