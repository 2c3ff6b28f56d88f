/** Warnings for readers of the run that are not a reason to refuse the capture. */

import type { Warning } from '../../errors/index.ts';
import { someOf } from '../../errors/index.ts';
import type { TokenClaims } from '../tokens/claims.ts';
import type { BrowserHarness } from './capture-schema.ts';
import type { PlannedItem } from './plan-item.ts';

export interface WarningInput {
  readonly items: readonly PlannedItem[];
  readonly model_labels: readonly string[];
  readonly session: BrowserHarness['session'];
  readonly claims: TokenClaims;
}

/** The allowed difference between the clocks of two machines. */
const TOLERANCE_MS = 5 * 60_000;

export function captureWarnings({ items, model_labels, session, claims }: WarningInput): Warning[] {
  const warnings: Warning[] = [];
  const warnAbout = (code: string, those: readonly PlannedItem[], what: string): void => {
    const item_ids = those.map(({ id }) => id);
    if (item_ids.length > 0)
      warnings.push({ code, message: `${what} (${item_ids.length}): ${someOf(item_ids)}.`, item_ids });
  };
  warnAbout(
    'missing_items',
    items.filter(({ status }) => status === 'missing'),
    'Missing from the capture',
  );
  warnAbout(
    'errored_items',
    items.filter(({ status }) => status === 'error'),
    'An error instead of an answer',
  );
  warnAbout(
    'uncertain_end',
    items.filter(({ flag }) => flag !== null),
    'Taken for finished, although the page never said so',
  );
  warnAbout(
    'text_repaired',
    items.filter(({ repaired }) => repaired),
    'With characters that were replaced',
  );
  warnAbout('clock', items.filter(runsBackwards), 'Ended before it began');
  if (model_labels.length > 1) {
    warnings.push({
      code: 'several_models',
      message: `The page named ${model_labels.length} models: ${someOf(model_labels)}.`,
    });
  }
  const [start, end] = [Date.parse(session.started_at), Date.parse(session.finished_at)];
  if (end < start) warnings.push({ code: 'clock', message: 'The session ends before it begins.' });
  if (start < claims.iat * 1000 - TOLERANCE_MS) {
    warnings.push({ code: 'clock', message: 'The session begins before the pack was made.' });
  }
  return warnings;
}

function runsBackwards({ timing }: PlannedItem): boolean {
  return timing !== null && Date.parse(timing.finished_at) < Date.parse(timing.started_at);
}
