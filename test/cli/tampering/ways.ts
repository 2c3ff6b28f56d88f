/** Ways to change a recorded run, each with whether it is found even where the reports are made again from what was changed. */
import { ATTEMPT_WAYS } from './attempt-ways.ts';
import type { Way } from './change.ts';
import { JOURNAL_WAYS } from './journal-ways.ts';
import { PLAN_WAYS } from './plan-ways.ts';
import { REPORT_WAYS } from './report-ways.ts';

export const WAYS: readonly Way[] = [...JOURNAL_WAYS, ...ATTEMPT_WAYS, ...PLAN_WAYS, ...REPORT_WAYS];
