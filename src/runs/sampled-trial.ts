/** One case and trial in short, of a result as reports have it. */
import type { EpisodeResult } from '../events/index.ts';
import { answerOutcome, type SampledTrial } from '../metrics/index.ts';
import type { QuestionResult } from './question-result.ts';
import type { PlannedCell } from './run-coverage.ts';

export function sampledTask({ taskId, trial, attempt, ...result }: EpisodeResult): SampledTrial {
  return {
    caseId: taskId,
    trial,
    // An attempt that was cut off is made again when the run is resumed.
    outcome: result.interrupted ? null : result.outcome,
    attempt,
    steps: result.steps,
    durationMs: result.durationMs,
    tokens: result.usage?.totalTokens ?? null,
    costUsd: result.usage?.costUsd ?? null,
  };
}

export function sampledQuestion(result: QuestionResult, trial: number): SampledTrial {
  const { id, status, attempt, grade, error, latencyMs, inputTokens, outputTokens, costUsd } = result;
  const outcome =
    status === 'answered'
      ? answerOutcome({ status, verdict: grade?.verdict ?? null })
      : status === 'error'
        ? answerOutcome({ status, code: error?.code ?? '' })
        : null;
  const tokens = inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens;
  return { caseId: id, trial, outcome, attempt, steps: null, durationMs: latencyMs, tokens, costUsd };
}

/** A planned cell without a result. One that could not be begun has the class of what kept it from it. */
export function sampledCell({
  caseId,
  trial,
  notBegun,
}: Pick<PlannedCell, 'caseId' | 'trial' | 'notBegun'>): SampledTrial {
  const unknown = { steps: null, durationMs: null, tokens: null, costUsd: null };
  return { caseId, trial, outcome: notBegun?.outcome ?? null, attempt: 0, ...unknown };
}
