/** One row of `waymark doctor`. */
import { messageOf, WaymarkError } from '../../errors/index.ts';

export interface Check {
  /** Stable, for scripts. */
  id: string;
  title: string;
  /** Nothing works without it. What is optional is never a problem, at most a warning. */
  required: boolean;
  status: 'ok' | 'warning' | 'problem';
  found: string;
  /** What to do; on every row that is not ok. */
  fix?: string;
  details?: Record<string, string | number | boolean | null>;
}

/** A required part that could not be had, in its error's own words. */
export function problem(id: string, title: string, thrown: unknown): Check {
  const fix = thrown instanceof WaymarkError ? thrown.hint : undefined;
  return {
    id,
    title,
    required: true,
    status: 'problem',
    found: messageOf(thrown),
    fix: fix ?? 'Nobody expected this one. Please report it, with the output of waymark doctor --json.',
  };
}
