/**
 * Grades to rows and back. The record of a question's judge has a column of its own. Rows that question checkers and judges write have their
 * reasoning among the details.
 */
import type { AttemptRef, Grade } from '../../events/index.ts';
import type { schema } from '../../store/index.ts';

type Row = typeof schema.grade.$inferSelect;

export function gradeColumns({ runId, caseId, trial, attempt }: AttemptRef, grade: Grade) {
  const { judge, ...rest } = grade.details;
  const isRecord = typeof judge === 'object' && judge !== null && !Array.isArray(judge);
  const { reasoning, artifacts, version, model, cost } = grade;
  return {
    runId,
    caseId,
    trial,
    attempt,
    grader: grade.grader,
    round: grade.round,
    verdict: grade.verdict,
    score: grade.score,
    details: isRecord ? rest : grade.details,
    judge: isRecord ? { ...judge } : null,
    reasoning: reasoning ?? null,
    artifacts: artifacts ?? null,
    version: version ?? null,
    model: model ?? null,
    cost: cost ?? null,
    createdAt: new Date(grade.at),
  };
}

export function gradeOf(row: Row): Grade {
  const { grader, round, verdict, score, details, judge, artifacts, version, model, cost, createdAt } = row;
  const isAmong = row.reasoning === null && typeof details['reason'] === 'string';
  const { reason, ...rest } = details;
  const reasoning = isAmong ? String(reason) : row.reasoning;
  return {
    grader,
    round,
    verdict,
    score,
    ...(reasoning === null ? {} : { reasoning }),
    details: { ...(isAmong ? rest : details), ...(judge === null ? {} : { judge }) },
    ...(artifacts === null ? {} : { artifacts }),
    ...(version === null ? {} : { version }),
    ...(model === null ? {} : { model }),
    ...(cost === null ? {} : { cost }),
    at: createdAt.getTime(),
  };
}
