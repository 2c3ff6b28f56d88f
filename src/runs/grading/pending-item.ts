/** An item of a run that has no row yet for the attempt under way, and the row that it gets. */

import type { Item } from '../../cases/index.ts';
import type { CheckResult, JudgeRecord } from '../../graders/index.ts';

export interface PendingItem {
  readonly seq: number;
  readonly item: Item;
  readonly status: 'answered' | 'error' | 'missing';
  readonly response: string | null;
}

export interface NewScore extends CheckResult {
  readonly id: string;
  /** `exact`, `choice`, …, `judge`, or `none` where nobody can score. */
  readonly method: string;
  readonly judge: JudgeRecord | null;
}
