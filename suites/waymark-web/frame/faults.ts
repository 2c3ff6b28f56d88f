/** What goes wrong once in an instance. The start URL names it by a number, which tells an agent nothing. */

/** The number is the place in this list, from 1. */
const FAULTS = ['error-once', 'session-ends', 'changed-meanwhile', 'slow-page', 'unexpected-dialog'] as const;
export type Fault = (typeof FAULTS)[number];

export function faultNumber(fault: Fault): number {
  return FAULTS.indexOf(fault) + 1;
}

export function faultOf(number: string | null): Fault | undefined {
  return FAULTS[Number(number ?? 0) - 1];
}
