import type { Cell } from '../events/index.ts';

/** One text per cell, for maps and sets. */
export function cellKey({ caseId, trial }: Cell): string {
  return `${trial} ${caseId}`;
}
