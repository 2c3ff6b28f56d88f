/** Prints an error: one paragraph for people, without a stack unless asked for; one JSON value for programs. */
import { messageOf, WaymarkError } from '../errors/index.ts';
import { type ExitCode, exitCodeOf } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

export function reportError(thrown: unknown, how: { json: boolean; verbose: boolean }, terminal: Terminal): ExitCode {
  const error = asWaymarkError(thrown);
  if (how.json) {
    const stack = how.verbose ? { stack: stackOf(thrown) } : {};
    terminal.out(`${JSON.stringify({ error: { ...error.toJSON(), ...stack } }, null, 2)}\n`);
  } else {
    terminal.err(`waymark: ${error.message}\n${error.hint ? `${error.hint}\n` : ''}`);
    if (how.verbose) terminal.err(`\n${stackOf(thrown)}\n`);
  }
  return exitCodeOf(error.fault);
}

function asWaymarkError(thrown: unknown): WaymarkError {
  if (thrown instanceof WaymarkError) return thrown;
  return new WaymarkError({
    code: 'internal',
    message: `an unexpected error: ${messageOf(thrown)}`,
    hint: 'This is a bug of waymark. Run it again with --verbose for the details to report.',
    cause: thrown,
  });
}

function stackOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause = thrown.cause === undefined ? '' : `\ncaused by: ${stackOf(thrown.cause)}`;
  return `${thrown.stack ?? thrown.message}${cause}`;
}
