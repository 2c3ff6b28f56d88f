/** One row of `waymark doctor`. */
import { messageOf, WaymarkError } from '../../errors/index.ts';

export interface Check {
  /** Stable, for scripts. */
  id: string;
  title: string;
  /** Nothing works without a required part. An optional one is at most a warning. */
  required: boolean;
  status: 'ok' | 'warning' | 'problem';
  found: string;
  /** What to do; present on every row that is not ok. */
  fix?: string;
  details?: Record<string, string | number | boolean | null>;
}

/** A required part that failed, with the message and the hint of its error. */
export function problem(id: string, title: string, thrown: unknown): Check {
  const fix = thrown instanceof WaymarkError ? thrown.hint : undefined;
  return {
    id,
    title,
    required: true,
    status: 'problem',
    found: messageOf(thrown),
    fix: fix ?? 'This error is unexpected. Please report it with the output of waymark doctor --json.',
  };
}
