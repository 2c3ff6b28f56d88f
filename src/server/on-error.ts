/** From anything thrown to a problem. What nobody expected is logged whole, and told to nobody. */
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { z } from 'zod';
import { WaymarkError } from '../errors/index.ts';
import { issueSchema, problem } from './problem.ts';
import type { AppEnv } from './route-module.ts';

/** A room below says its own status and issues, without knowing of HTTP libraries. */
const saysItself = z.object({ status: z.int().min(400).max(599), issues: z.array(issueSchema).optional() });

/** What other rooms' errors mean here. A code that is not listed is our fault. */
const STATUS: Readonly<Record<string, number>> = {
  artifact_key_invalid: 400,
  artifact_not_found: 404,
  run_not_found: 404,
  url_invalid: 422,
  url_refused: 422,
  url_unresolved: 422,
};

export function errorToProblem(thrown: unknown, c: Context<AppEnv>, log: (line: string) => void): Response {
  if (thrown instanceof WaymarkError) {
    const own = saysItself.safeParse(thrown).data;
    const status = own?.status ?? STATUS[thrown.code];
    if (status !== undefined) {
      const { code, message, hint } = thrown;
      return problem({ status, code, detail: message, hint, issues: own?.issues ?? [] });
    }
  }
  if (thrown instanceof HTTPException && thrown.status < 500) {
    // hono's own: above all JSON that can't be read.
    const code = /JSON/i.test(thrown.message) ? 'json_malformed' : 'request_invalid';
    return problem({ status: thrown.status, code, detail: thrown.message || 'The request was refused.' });
  }
  const requestId = c.get('requestId');
  log(`${c.req.method} ${c.req.path} failed (request ${requestId}): ${traceOf(thrown)}`);
  return problem({
    status: 500,
    code: 'internal',
    detail: `An error that nobody expected. The server's log has it under request ${requestId}.`,
  });
}

function traceOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return `${thrown.stack ?? thrown.message}${thrown.cause === undefined ? '' : `\ncaused by: ${traceOf(thrown.cause)}`}`;
}
