/** What a run in a folder came to, from the beginning of its report, which has its numbers first. */
import { closeSync, openSync, readSync } from 'node:fs';
import { FAULT_OUTCOMES } from '../../metrics/index.ts';

export interface ReportCounts {
  passed: number;
  /** What the rate is over: everything that was planned, or the questions that were scored. */
  counted: number;
  /** Finished, or scored. */
  done: number;
  /** Interrupted, or not begun because the run was stopped before. */
  left: number;
  /** Ended by a fault that was not the agent's, or by an error of the call. */
  faults: number;
}

/** The names of what has not finished stand between the numbers. */
const HEAD_BYTES = 64 * 1024;

/** Undefined where there is no report yet, or its numbers do not stand at its beginning. */
export function reportCounts(file: string): ReportCounts | undefined {
  const [, summary] = /"summary": \{([\s\S]*)/.exec(headOf(file)) ?? [];
  return summary === undefined ? undefined : countsIn(summary);
}

function countsIn(summary: string): ReportCounts | undefined {
  const passed = numberIn(summary, 'passed');
  const scored = numberIn(summary, 'scored');
  const counted = scored ?? numberIn(summary, 'planned') ?? numberIn(summary, 'episodes');
  if (passed === undefined || counted === undefined) return undefined;
  const done = scored ?? numberIn(summary, 'finished') ?? counted;
  const [, outcomes = ''] = /"outcomes": \{([^}]*)\}/.exec(summary) ?? [];
  const faults = FAULT_OUTCOMES.reduce((sum, name) => sum + (numberIn(outcomes, name) ?? 0), 0);
  const left = (numberIn(summary, 'interrupted') ?? 0) + (numberIn(summary, 'pending') ?? 0);
  return { passed, counted, done, left, faults: scored === undefined ? faults : (numberIn(summary, 'errors') ?? 0) };
}

/** The first of that name: those of the whole stand before those of parts. */
function numberIn(text: string, name: string): number | undefined {
  const [, digits] = new RegExp(`"${name}": (\\d{1,9})\\b`).exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

function headOf(file: string): string {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch {
    // There is no report yet.
    return '';
  }
  try {
    const bytes = Buffer.alloc(HEAD_BYTES);
    return bytes.toString('utf8', 0, readSync(fd, bytes, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(fd);
  }
}
