/** Errors as `application/problem+json` (RFC 9457), with a stable `code` and a list of `issues`. */
import { z } from '@hono/zod-openapi';
import type { z as zod } from 'zod';
import { type ErrorCode, pathText, statusOf, WaymarkError } from '../errors/index.ts';

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
  code: ErrorCode;
  /** Only where it differs from the status of the code. */
  status?: number;
  detail: string;
  hint?: string | undefined;
  issues?: readonly Issue[];
  headers?: Record<string, string>;
}

/** Creates a problem response. */
export function problem({
  code,
  status = statusOf(code),
  detail,
  hint,
  issues = [],
  headers = {},
}: ProblemOptions): Response {
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

export function invalidRequest(error: Pick<zod.ZodError, 'issues'>, target: string): WaymarkError {
  const message = `Invalid request ${target === 'json' ? 'body' : target}.`;
  const issues = error.issues.flatMap(insideUnion).map((issue) => ({
    path: pathText(issue.path),
    code: issue.code ?? 'invalid',
    message: issue.message,
  }));
  return new WaymarkError({ code: 'request_invalid', message, issues });
}

/** Of a choice between forms, what the form that fits best complains about. */
function insideUnion(issue: zod.core.$ZodIssue): zod.core.$ZodIssue[] {
  const [best] = issue.code === 'invalid_union' ? issue.errors.toSorted((a, b) => a.length - b.length) : [];
  if (!best) return [issue];
  return best.map((one) => ({ ...one, path: [...issue.path, ...one.path] })).flatMap(insideUnion);
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Not authorised',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
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
