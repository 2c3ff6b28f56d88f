/** Turns a thrown value into a problem response. Errors that the caller cannot correct are also logged, with their causes. */
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { traceOf, WaymarkError } from '../errors/index.ts';
import { problem } from './problem.ts';
import type { AppEnv } from './route-module.ts';

/** The text of an internal error or of an error without a code is hidden, because it was not written for a caller. */
export function errorToProblem(thrown: unknown, c: Context<AppEnv>, log: (line: string) => void): Response {
  const requestId = c.get('requestId');
  const note = () => log(`${c.req.method} ${c.req.path} failed (request ${requestId}): ${traceOf(thrown)}`);
  if (thrown instanceof WaymarkError && thrown.fault !== 'internal') {
    const { code, message, hint, issues } = thrown;
    if (thrown.fault !== 'usage') note();
    return problem({ code, detail: message, hint, issues });
  }
  if (thrown instanceof HTTPException && thrown.status < 500) {
    // hono's own errors, mostly invalid JSON.
    const code = /JSON/i.test(thrown.message) ? 'json_malformed' : 'request_invalid';
    return problem({ code, status: thrown.status, detail: thrown.message || 'The request was refused.' });
  }
  note();
  return problem({
    code: 'internal',
    detail: `An unexpected error. The server's log has it under request ${requestId}.`,
  });
}
