/**
 * The names of the Browser Harness on the wire, and what they are inside. The wire is an interchange format and keeps its words:
 *
 * | wire | inside |
 * |---|---|
 * | run item, `dataset_item_id` | cell with the attempt that counts, `caseId` |
 * | item status `pending`, `answered`, `error`, `missing` | state of the cell, result of the attempt |
 * | `scores[]`, `method`, `value`, `detail`, `attempt` | grades, `grader`, `score`, `details`, `round` |
 * | `scoring_status`, `scoring_reason`, `scoring_attempt`, `scoring_queued` | grading status, reason, round, queued |
 * | queue `runs.score`, with `{run_id, attempt}` | the job that grades a round |
 *
 * Codes of a run's log (`scoring_queued`, `items_scored`, …) and keys of its counts (`scored`, `score_errors`) are wire names that are stored.
 */
import { decidingGrade, isDeciding } from '../cases/index.ts';
import { answerOutcome } from '../metrics/index.ts';
import type { GradeRecord, ListedCell, ListedRun, RunComparison, RunDetail } from '../runs/index.ts';
import type { schema } from '../store/index.ts';

/** `pending`: a run that is still under way has not come to this item yet. */
export const RUN_ITEM_STATUSES = ['pending', 'answered', 'error', 'missing'] as const;
type RunItemStatus = (typeof RUN_ITEM_STATUSES)[number];

/** Which cells have a status. */
export function cellsOfStatus(status: RunItemStatus | undefined): {
  state?: (typeof schema.CELL_STATES)[number][];
  result?: 'answered' | 'error';
} {
  switch (status) {
    case undefined:
      return {};
    case 'pending':
      return { state: ['pending', 'running'] };
    case 'missing':
      return { state: ['missing'] };
    default:
      return { state: ['finished'], result: status };
  }
}

function statusOf({ state, result }: ListedCell['cell']): RunItemStatus {
  if (state === 'missing') return 'missing';
  if (state !== 'finished') return 'pending';
  return result === 'answered' ? 'answered' : 'error';
}

export function wireItem({ cell, attempt, grades }: ListedCell) {
  return {
    id: cell.caseId,
    seq: cell.seq,
    section: String(cell.snapshot['section'] ?? ''),
    type: String(cell.snapshot['type'] ?? ''),
    status: statusOf(cell),
    prompt_text: String(cell.snapshot['prompt_text'] ?? ''),
    response: attempt?.answer ?? null,
    error: attempt?.errorCode == null ? null : { code: attempt.errorCode, message: attempt.errorMessage ?? '' },
    model_label: attempt?.modelLabel ?? null,
    timing: {
      started_at: attempt?.startedAt?.toISOString() ?? null,
      finished_at: attempt?.finishedAt?.toISOString() ?? null,
      latency_ms: attempt?.latencyMs ?? null,
    },
    outcome: outcomeOf(cell, attempt, grades),
    usage: attempt && wireUsage(attempt),
    attempts: cell.attempts,
    /** Of the deciding grader, oldest first: the last one counts. `GET /runs/{id}/grades` has those of all graders. */
    scores: grades.filter(({ grader }) => isDeciding(grader)).map(wireScore),
  };
}

/** See docs/reference/outcomes.md. */
function outcomeOf(cell: ListedCell['cell'], attempt: ListedCell['attempt'], grades: readonly GradeRecord[]) {
  if (!attempt) return null;
  return cell.result === 'answered'
    ? answerOutcome({ status: 'answered', verdict: decidingGrade(grades)?.verdict ?? null })
    : answerOutcome({ status: 'error', code: attempt.errorCode ?? '' });
}

interface Usage {
  inputTokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
}

/** Null where no call said what it used. */
function wireUsage({ inputTokens, outputTokens, costUsd }: Usage) {
  if (inputTokens === null && outputTokens === null && costUsd === null) return null;
  return { input_tokens: inputTokens, output_tokens: outputTokens, cost_usd: costUsd };
}

function wireScore({ round, grader, score, verdict, details, reasoning, judge, createdAt }: GradeRecord) {
  return {
    attempt: round,
    method: grader,
    value: score,
    verdict,
    detail: reasoning === null ? details : { ...details, reason: reasoning },
    judge,
    created_at: createdAt.toISOString(),
  };
}

export function wireRun({ run, ...about }: ListedRun) {
  const { scored = 0, passed = 0 } = run.counts;
  return {
    id: run.id,
    dataset: {
      id: about.datasetId,
      name: about.datasetName,
      version_hash: run.datasetVersionHash,
      is_current: run.datasetVersionHash === about.datasetVersionNow,
    },
    provider: {
      id: about.providerId,
      name: about.providerName,
      surface: about.providerSurface,
      browser_target:
        about.providerSurface === 'browser'
          ? { preset: about.targetPreset, origin: about.targetOrigin, display_name: about.targetName }
          : null,
    },
    model: run.model,
    model_labels: run.modelLabels,
    /** The token proves which pack was used, not that the answers are genuine. */
    capture_label: run.triggeredBy === 'browser_harness' ? ('self-reported capture' as const) : null,
    label: run.label,
    tags: run.tags ?? [],
    status: run.status,
    status_reason: run.statusReason,
    scoring_status: run.gradingStatus,
    scoring_reason: run.gradingReason,
    scoring_attempt: run.gradingRound,
    triggered_by: run.triggeredBy,
    schedule_id: run.scheduleId,
    config: run.config,
    item_count: run.itemCount,
    counts: run.counts,
    usage: wireUsage(run),
    /** Accuracy never stands alone: coverage is always beside it. */
    accuracy: scored === 0 ? null : passed / scored,
    coverage: run.itemCount === 0 ? null : scored / run.itemCount,
    started_at: run.startedAt?.toISOString() ?? null,
    finished_at: run.finishedAt?.toISOString() ?? null,
    imported_at: run.importedAt?.toISOString() ?? null,
    created_at: run.createdAt.toISOString(),
    updated_at: run.updatedAt.toISOString(),
  };
}

export function wireRunDetail({ listed, importId, warnings, summary }: RunDetail) {
  return { ...wireRun(listed), import_id: importId, warnings, summary };
}

export function wireComparison({ items, counts, statistics }: RunComparison) {
  const scoreOf = (grade: RunComparison['items'][number]['a']) =>
    grade && { item_id: grade.caseId, attempt: grade.round, value: grade.score, verdict: grade.verdict };
  return {
    items: items.map(({ id, a, b, change }) => ({ id, a: scoreOf(a), b: scoreOf(b), change })),
    counts,
    statistics,
  };
}

/** `scoring_status` beside what else is said of a run. */
export function wireGrading<T extends { gradingStatus: S }, S>({ gradingStatus, ...rest }: T) {
  return { ...rest, scoring_status: gradingStatus };
}
