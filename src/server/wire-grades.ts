/** Grades of all graders, and gradings by further graders, as the API shows them. */
import { isDeciding } from '../cases/index.ts';
import { gradeOf, type ListedGrade, type ListedGrading } from '../runs/index.ts';

export function wireGrade({ grade, deciding }: ListedGrade) {
  const { reasoning = '', artifacts = [], version = null, model = null, cost, ...given } = gradeOf(grade);
  return {
    id: grade.id,
    item_id: grade.caseId,
    trial: grade.trial,
    attempt: grade.attempt,
    grader: given.grader,
    round: given.round,
    verdict: given.verdict,
    score: given.score,
    reasoning,
    details: given.details,
    artifacts,
    version,
    model,
    cost: cost
      ? {
          calls: cost.calls,
          input_tokens: cost.inputTokens ?? null,
          output_tokens: cost.outputTokens ?? null,
          cost_usd: cost.usd ?? null,
        }
      : null,
    created_at: new Date(given.at).toISOString(),
    decides: isDeciding(given.grader),
    deciding: deciding ?? null,
  };
}

export function wireFurther({ id, request, status, reason, counts, ...times }: ListedGrading) {
  return {
    id,
    request,
    status,
    reason,
    counts: { ...counts.verdicts, calls: counts.calls, cost_usd: counts.usd },
    created_at: times.createdAt.toISOString(),
    started_at: times.startedAt?.toISOString() ?? null,
    finished_at: times.finishedAt?.toISOString() ?? null,
  };
}
