/** An item of a run of version 0.1.0 as a cell, and as an attempt where it was tried. */
import { attemptFold, journalText, migratedJournal, type OldItem, type OldRun } from '../../events/index.ts';

/** A row of `run_item`, as the database wrote it as JSON. */
export interface OldItemRow extends OldItem {
  readonly seq: number;
  readonly item: Readonly<Record<string, unknown>>;
}

type Row = Record<string, unknown>;

export function upgradedItem(old: OldItemRow, run: OldRun): { cell: Row; attempt: Row | undefined } {
  const events = migratedJournal(old, run);
  const { status } = old;
  const key = { run_id: old.run_id, case_id: old.dataset_item_id, trial: 1 };
  const tried = events === undefined ? 0 : 1;
  const cell = {
    ...key,
    seq: old.seq,
    state: status === 'pending' || status === 'missing' ? status : 'finished',
    attempts: tried,
    counted: tried || null,
    result: tried ? status : null,
    lease: 0,
    snapshot: { ...old.item, prompt_text: old.prompt_text },
  };
  if (events === undefined) return { cell, attempt: undefined };
  const fold = attemptFold(events);
  return {
    cell,
    attempt: {
      ...key,
      attempt: 1,
      result: fold.result,
      answer: fold.answer,
      error_code: fold.errorCode,
      error_message: fold.errorMessage,
      model_label: fold.modelLabel,
      // As they were: where one is not known, the journal's own time is a guess.
      started_at: old.started_at,
      finished_at: old.finished_at,
      latency_ms: fold.latencyMs,
      migrated: true,
      journal: journalText(events),
    },
  };
}
