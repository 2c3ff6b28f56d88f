/** What the exit code of a command says. Documented in `waymark --help`. */
import type { Fault } from '../errors/index.ts';

export const EXIT = {
  ok: 0,
  /** The command did its work, and something that it checked did not pass. */
  checkFailed: 1,
  /** The command line, or a file or a request that it gave, can't be used. Nothing was done. */
  usage: 2,
  /** The harness or what it needs failed: nothing can be said about what was asked. */
  harness: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export function exitCodeOf(fault: Fault): ExitCode {
  return fault === 'usage' ? EXIT.usage : EXIT.harness;
}
