/** Prints an error: as one paragraph for people (a stack only with --verbose), or as JSON. */
import { messageOf, traceOf, WaymarkError } from '../errors/index.ts';
import { type ExitCode, exitCodeOf } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

export function reportError(thrown: unknown, how: { json: boolean; verbose: boolean }, terminal: Terminal): ExitCode {
  const error = asWaymarkError(thrown);
  if (how.json) {
    const stack = how.verbose ? { stack: traceOf(thrown) } : {};
    terminal.out(`${JSON.stringify({ error: { ...error.toJSON(), ...stack } }, null, 2)}\n`);
  } else {
    terminal.err(`waymark: ${error.message}\n${error.hint ? `${error.hint}\n` : ''}`);
    if (how.verbose) terminal.err(`\n${traceOf(thrown)}\n`);
  }
  return exitCodeOf(error.fault);
}

function asWaymarkError(thrown: unknown): WaymarkError {
  if (thrown instanceof WaymarkError) return thrown;
  return new WaymarkError({
    code: 'internal',
    message: `unexpected error: ${messageOf(thrown)}`,
    hint: 'This is a bug in waymark. Run the command again with --verbose and report the output.',
    cause: thrown,
  });
}
