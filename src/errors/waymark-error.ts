/**
 * The one error type that people see.
 * The message says what happened to what; the hint says what to do about it.
 */

/** Whether something went wrong on the caller's side (`usage`) or on ours is read off the code's prefix. */
export interface WaymarkErrorOptions {
  /** Stable and machine-readable: `browser_not_found`, `cdp_closed`, … */
  code: string;
  message: string;
  /** What the reader can do next. */
  hint?: string;
  cause?: unknown;
}

/**
 * @example
 * throw new WaymarkError({
 *   code: 'browser_not_found',
 *   message: 'No Chromium was found on this machine.',
 *   hint: 'Install one (Debian: apt-get install chromium-headless-shell), or set WAYMARK_BROWSER to its path.',
 * });
 */
export class WaymarkError extends Error {
  readonly code: string;
  readonly hint: string | undefined;

  constructor(options: WaymarkErrorOptions) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'WaymarkError';
    this.code = options.code;
    this.hint = options.hint;
  }

  /** What `--json` prints. */
  toJSON(): { code: string; message: string; hint?: string } {
    return { code: this.code, message: this.message, ...(this.hint === undefined ? {} : { hint: this.hint }) };
  }
}

/** The text of anything that can be thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
