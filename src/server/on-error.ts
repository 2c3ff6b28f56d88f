/** From anything thrown to a problem response. What is not the caller's to correct is also logged, with its causes. */
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { WaymarkError } from '../errors/index.ts';
import { problem } from './problem.ts';
import type { AppEnv } from './route-module.ts';

/** An internal error and one without a code are hidden: their text was not written for a caller. */
export function errorToProblem(thrown: unknown, c: Context<AppEnv>, log: (line: string) => void): Response {
  const requestId = c.get('requestId');
  const note = () => log(`${c.req.method} ${c.req.path} failed (request ${requestId}): ${traceOf(thrown)}`);
  if (thrown instanceof WaymarkError && thrown.fault !== 'internal') {
    const { code, message, hint, issues } = thrown;
    if (thrown.fault !== 'usage') note();
    return problem({ code, detail: message, hint, issues });
  }
  if (thrown instanceof HTTPException && thrown.status < 500) {
    // hono's own errors: above all JSON that can't be read.
    const code = /JSON/i.test(thrown.message) ? 'json_malformed' : 'request_invalid';
    return problem({ code, status: thrown.status, detail: thrown.message || 'The request was refused.' });
  }
  note();
  return problem({
    code: 'internal',
    detail: `An unexpected error. The server's log has it under request ${requestId}.`,
  });
}

function traceOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return `${thrown.stack ?? thrown.message}${thrown.cause === undefined ? '' : `\ncaused by: ${traceOf(thrown.cause)}`}`;
}
