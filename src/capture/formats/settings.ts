/** The timing of the in-page script. */

/** In milliseconds, except `jitter` (a fraction of `pace_ms`) and `seed`. */
export interface Settings {
  readonly quiet_ms: number;
  readonly long_quiet_ms: number;
  readonly item_timeout_ms: number;
  readonly start_timeout_ms: number;
  readonly send_timeout_ms: number;
  readonly ready_timeout_ms: number;
  readonly pace_ms: number;
  readonly jitter: number;
  readonly poll_ms: number;
  /** Makes the pauses reproducible. Without it they are random. */
  readonly seed?: number | undefined;
}

export const DEFAULT_SETTINGS: Settings = {
  quiet_ms: 2_000,
  long_quiet_ms: 20_000,
  item_timeout_ms: 180_000,
  start_timeout_ms: 60_000,
  send_timeout_ms: 15_000,
  ready_timeout_ms: 15_000,
  pace_ms: 4_000,
  jitter: 0.5,
  poll_ms: 200,
};
