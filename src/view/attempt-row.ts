/** One line about an attempt: what lists, the matrix and the plots of a run are made of. Small, because a run may have ten thousand. */
import type { EpisodeResult, JournalEvent } from '../events/index.ts';
import { isAgentOutcome, type OutcomeClass } from '../metrics/index.ts';
import { claimText, markNames, usedCost, usedTokens } from './amounts.ts';
import { differencesIn, gradedTask } from './graded-attempt.ts';
import { HTML_LIMITS } from './limits.ts';

/** What passed, what the agent did not manage, what was no fault of the agent, and what has not ended. */
export type Tone = 'good' | 'bad' | 'fault' | 'open';

export interface AttemptRow {
  /** Its place in the plan: `e1` is the first cell. */
  id: string;
  caseId: string;
  trial: number;
  attempt: number;
  /** The status by the contract; where another grader decides, the outcome class. */
  status: string;
  tone: Tone;
  /** Absent while it has none. */
  outcome?: OutcomeClass;
  steps: number;
  calls: number;
  errors: number;
  durationMs: number;
  /** Of each step, the first ones. */
  rewards: number[];
  rewardSum: number | null;
  /** How direct the path was. */
  wandering?: { noProgress: number; loopedSteps: number; revisited: number | null; efficiency: number | null };
  /** What the agent said of itself. */
  claim?: string;
  tokens?: string;
  cost?: string;
  marks: string[];
  tags: string[];
  /** A grader differs from the one that decides. */
  differs?: true;
  /** Its case is counted apart. */
  isQuarantined?: true;
  /** Has a journal that can be opened. */
  hasJournal: boolean;
  /** While it goes on. */
  live?: LiveAttempt;
}

export interface LiveAttempt {
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** The last call. */
  tool?: string;
  /** The last picture, relative to the attempt's folder. */
  frame?: string;
  url: string;
  /** Where the agent works in several lanes: the last call of each. */
  lanes?: { id: string; tool: string }[];
  maxSteps?: number;
  maxDurationMs?: number;
  maxTokens?: number;
  /** US dollars. */
  maxCost?: number;
}

/** `id` is of the cell. */
export function attemptRow(id: string, result: EpisodeResult, events: readonly JournalEvent[]): AttemptRow {
  const { wandering, usage } = result;
  const [start] = events;
  const task: { tags?: unknown } = start?.type === 'start' ? Object(start.task) : {};
  const tags = Array.isArray(task.tags) ? task.tags.filter((tag) => typeof tag === 'string') : [];
  return {
    id,
    caseId: result.taskId,
    trial: result.trial,
    attempt: result.attempt,
    ...statusOf(result),
    outcome: result.outcome,
    steps: result.steps,
    calls: result.toolCalls,
    errors: result.openchromeErrors,
    durationMs: Math.round(result.durationMs),
    rewards: rewardsOf(events),
    rewardSum: result.reward?.sum ?? null,
    wandering: {
      noProgress: result.noProgressEpisodes,
      loopedSteps: wandering.loopedSteps,
      revisited: wandering.revisitedStateRatio,
      efficiency: wandering.pathEfficiency,
    },
    ...(result.claimed === undefined ? {} : { claim: claimText(result) }),
    ...(usage ? { tokens: usedTokens(usage), cost: usedCost(usage) } : {}),
    marks: [
      ...markNames(result),
      ...(result.testModel ? ['test model'] : []),
      ...(result.recoverySearch ? ['recovery search'] : []),
    ],
    tags,
    ...(differencesIn(gradedTask(result)).length > 0 ? { differs: true } : {}),
    hasJournal: true,
  };
}

/** The status is by the contract; where another grader decides, the outcome class has its verdict. Who was cut off has neither. */
export function statusOf({
  status,
  success,
  outcome,
  decidedBy,
  interrupted,
}: Pick<EpisodeResult, 'status' | 'success' | 'outcome' | 'decidedBy' | 'interrupted'>): {
  status: string;
  tone: Tone;
} {
  if (interrupted && !success) return { status: 'interrupted', tone: 'fault' };
  return { status: decidedBy === undefined ? status : outcome, tone: success ? 'good' : toneOf(outcome) };
}

/** Of an attempt that has ended. */
export function toneOf(outcome: OutcomeClass): Tone {
  if (outcome === 'passed') return 'good';
  return isAgentOutcome(outcome) ? 'bad' : 'fault';
}

/** A cell without a result. */
export function openRow(
  id: string,
  cell: { caseId: string; trial: number; attempt: number },
  status: 'pending' | 'running' | 'not begun' | 'cut off',
): AttemptRow {
  return {
    id,
    caseId: cell.caseId,
    trial: cell.trial,
    attempt: cell.attempt,
    status,
    tone: status === 'not begun' || status === 'cut off' ? 'fault' : 'open',
    steps: 0,
    calls: 0,
    errors: 0,
    durationMs: 0,
    rewards: [],
    rewardSum: null,
    marks: [],
    tags: [],
    hasJournal: false,
  };
}

/** An amended reward takes the place of the one before it. */
function rewardsOf(events: readonly JournalEvent[]): number[] {
  const byCall = new Map<string, number>();
  for (const event of events) {
    if (event.type !== 'reward' || event.final || event.callId === undefined) continue;
    if (byCall.size < HTML_LIMITS.rewardBars || byCall.has(event.callId)) byCall.set(event.callId, event.score);
  }
  return [...byCall.values()].map((score) => Math.round(score * 100) / 100);
}
