import type { AnyRun } from '../api/queries.ts';

/** Two are compared: a third takes the place of the first. */
const MOST = 2;

/** Ticks a run, or unticks it. */
export function pickRun(picked: readonly AnyRun[], run: AnyRun): readonly AnyRun[] {
  const others = picked.filter(({ id }) => id !== run.id);
  return others.length < picked.length ? others : [...picked, run].slice(-MOST);
}
