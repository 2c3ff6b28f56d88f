/** Version 0.1.0 kept one row per item of a run, and no journal. This makes the journal that such a row would have had. */
import type { JournalEvent } from './events.ts';
import { questionJournal } from './question-journal.ts';

/** A row of the table `run_item` of version 0.1.0, as its database wrote it as JSON. */
export interface OldItem {
  readonly run_id: string;
  readonly dataset_item_id: string;
  readonly status: 'pending' | 'answered' | 'error' | 'missing';
  readonly prompt_text: string;
  readonly response: string | null;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly model_label: string | null;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly latency_ms: number | null;
}

/** Of the item's run: who was asked, and since when there was something to ask. */
export interface OldRun {
  readonly model: string | null;
  readonly created_at: string;
  /** The chat page of a capture. */
  readonly page: { preset: string; origin: string; displayName: string } | null;
}

/** @returns undefined where the item was never tried: a cell without an attempt has no journal. */
export function migratedJournal(item: OldItem, run: OldRun): JournalEvent[] | undefined {
  if (item.status === 'pending' || item.status === 'missing') return undefined;
  const startedAt = Date.parse(item.started_at ?? item.finished_at ?? run.created_at);
  return questionJournal(
    {
      attempt: { runId: item.run_id, caseId: item.dataset_item_id, trial: 1, attempt: 1 },
      agent: run.page
        ? { kind: 'capture', name: run.page.displayName }
        : { kind: 'model', ...(run.model === null ? {} : { name: run.model }) },
      source: run.page ?? undefined,
      migrated: true,
      prompt: item.prompt_text,
    },
    {
      answer: item.response,
      error: item.error_code === null ? null : { code: item.error_code, message: item.error_message ?? '' },
      modelLabel: item.model_label,
      latencyMs: item.latency_ms,
    },
    { startedAt, finishedAt: item.finished_at === null ? startedAt : Date.parse(item.finished_at) },
  );
}
