/** What the command's exit code says. Documented in `waymark --help`. */
export const EXIT = {
  ok: 0,
  /** The command did its work, and something that it looked at is not as it should be. */
  checkFailed: 1,
  /** The command was called in a way that it does not understand. */
  usage: 2,
  /** The harness itself failed: nothing can be said about what was asked. */
  harness: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
