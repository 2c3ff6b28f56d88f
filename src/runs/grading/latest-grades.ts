/** Grades of questions, as far as the arithmetic needs them. */
import type { ScoreVerdict } from '../../graders/index.ts';

export interface GradeRow {
  readonly caseId: string;
  /** From 1; the highest counts. */
  readonly round: number;
  readonly score: number | null;
  readonly verdict: ScoreVerdict;
}

/** One grade a case: of its latest round. Nothing is overwritten, so older ones stay. */
export function latestGrades<Row extends GradeRow>(rows: Iterable<Row>): Map<string, Row> {
  const latest = new Map<string, Row>();
  for (const row of rows) {
    const known = latest.get(row.caseId);
    // Of two grades of one round, the one written later.
    if (!known || row.round >= known.round) latest.set(row.caseId, row);
  }
  return latest;
}

/** Only pass and fail say something about the answers. */
export function isScored(row: GradeRow | undefined): row is GradeRow & { score: number; verdict: 'pass' | 'fail' } {
  return row !== undefined && row.score !== null && (row.verdict === 'pass' || row.verdict === 'fail');
}
