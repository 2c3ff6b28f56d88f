/** The exit codes of the command line, documented in `waymark --help`. */
export const EXIT = {
  ok: 0,
  /** The command finished, and something that it checked failed. */
  checkFailed: 1,
  /** The command line was wrong. */
  usage: 2,
  /** The harness itself failed, so there is no result. */
  harness: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
