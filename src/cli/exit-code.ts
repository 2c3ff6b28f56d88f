/** The exit codes of the command line, documented in `waymark --help`. */
import type { Fault } from '../errors/index.ts';

export const EXIT = {
  ok: 0,
  /** The command finished, and something that it checked failed. */
  checkFailed: 1,
  /** The command line, or a file or request that it names, is invalid. Nothing was done. */
  usage: 2,
  /** The harness or something that it needs failed, so there is no result. */
  harness: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export function exitCodeOf(fault: Fault): ExitCode {
  return fault === 'usage' ? EXIT.usage : EXIT.harness;
}
