/** Grades of questions, as far as the arithmetic needs them. */
import { decidingGrade } from '../../cases/index.ts';
import type { ScoreVerdict } from '../../graders/index.ts';

export interface GradeRow {
  readonly caseId: string;
  readonly grader: string;
  /** From 1; the highest counts. */
  readonly round: number;
  readonly score: number | null;
  readonly verdict: ScoreVerdict;
}

/** At most one grade a case. */
export function decidingGrades<Row extends GradeRow>(rows: Iterable<Row>): Map<string, Row> {
  const deciding = new Map<string, Row>();
  for (const [caseId, own] of Map.groupBy(rows, ({ caseId }) => caseId)) {
    const grade = decidingGrade(own);
    if (grade) deciding.set(caseId, grade);
  }
  return deciding;
}

/** Only pass and fail say something about the answers. */
export function isScored(row: GradeRow | undefined): row is GradeRow & { score: number; verdict: 'pass' | 'fail' } {
  return row !== undefined && row.score !== null && (row.verdict === 'pass' || row.verdict === 'fail');
}
