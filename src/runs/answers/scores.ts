/** Rows of the append-only score table, as far as the arithmetic needs them. */
import type { ScoreVerdict } from '../../graders/index.ts';

export interface ScoreRow {
  readonly item_id: string;
  /** From 1; the highest counts. */
  readonly attempt: number;
  readonly value: number | null;
  readonly verdict: ScoreVerdict;
}

/** One row an item: of its latest attempt. Nothing is overwritten, so older ones stay in the table. */
export function latestScores<Row extends ScoreRow>(rows: Iterable<Row>): Map<string, Row> {
  const latest = new Map<string, Row>();
  for (const row of rows) {
    const known = latest.get(row.item_id);
    // Of two rows of one attempt, the one written later.
    if (!known || row.attempt >= known.attempt) latest.set(row.item_id, row);
  }
  return latest;
}

/** Only pass and fail say something about the answers. */
export function isScored(row: ScoreRow | undefined): row is ScoreRow & { value: number; verdict: 'pass' | 'fail' } {
  return row !== undefined && row.value !== null && (row.verdict === 'pass' || row.verdict === 'fail');
}
