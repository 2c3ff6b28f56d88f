/** A cell of a run that has no grade yet in the round under way, and the grade that it gets. */

import type { Item } from '../../cases/index.ts';
import type { WaymarkError } from '../../errors/index.ts';
import type { CheckResult, JudgeRecord } from '../../graders/index.ts';

export interface PendingItem {
  readonly seq: number;
  readonly item: Item;
  /** The attempt that counts; 0 where there is none. */
  readonly attempt: number;
  readonly status: 'answered' | 'error' | 'missing';
  readonly response: string | null;
}

/** A cell whose stored case can't be read: its grade is an error, and the others are graded. */
export interface UnreadableItem {
  readonly seq: number;
  readonly id: string;
  readonly attempt: number;
  readonly problem: WaymarkError;
}

export interface NewGrade extends CheckResult {
  readonly id: string;
  readonly attempt: number;
  /** `exact`, `choice`, …, `judge`, or `none` where nothing can grade it. */
  readonly method: string;
  readonly judge: JudgeRecord | null;
}
