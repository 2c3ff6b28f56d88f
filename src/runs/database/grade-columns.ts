/** Grades to rows and back. A judge's record has a column of its own, and the reasoning stands among the details. */
import type { AttemptRef, Grade } from '../../events/index.ts';
import type { schema } from '../../store/index.ts';

type Row = typeof schema.grade.$inferSelect;

export function gradeColumns({ runId, caseId, trial, attempt }: AttemptRef, grade: Grade) {
  const { judge, ...details } = grade.details;
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
    details: { ...details, ...(reasoning === undefined ? {} : { reason: reasoning }) },
    judge: (judge as Record<string, unknown> | undefined) ?? null,
    artifacts: artifacts ?? null,
    version: version ?? null,
    model: model ?? null,
    cost: cost ?? null,
    createdAt: new Date(grade.at),
  };
}

export function gradeOf(row: Row): Grade {
  const { grader, round, verdict, score, details, judge, artifacts, version, model, cost, createdAt } = row;
  const { reason, ...rest } = details;
  return {
    grader,
    round,
    verdict,
    score,
    ...(typeof reason === 'string' ? { reasoning: reason } : {}),
    details: {
      ...rest,
      ...(reason === undefined || typeof reason === 'string' ? {} : { reason }),
      ...(judge === null ? {} : { judge }),
    },
    ...(artifacts === null ? {} : { artifacts }),
    ...(version === null ? {} : { version }),
    ...(model === null ? {} : { model }),
    ...(cost === null ? {} : { cost }),
    at: createdAt.getTime(),
  };
}
