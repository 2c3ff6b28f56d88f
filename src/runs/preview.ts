/** What a run would do, and what it may cost at most: a fold of the resolved run. No browser is started and no model is asked. */
import type { TaskRun } from './resolve-tasks.ts';

export interface RunPreview {
  readonly tasks: number;
  readonly trials: number;
  readonly episodes: number;
  readonly shard?: string;
  /** Attempts at a time. */
  readonly workers: number;
  readonly agent: string;
  readonly server: string;
  readonly isolation: string;
  /** Further attempts that a cell may get after a fault. */
  readonly retries: number;
  /** If every attempt uses all that it may. */
  readonly worstCase: {
    readonly attempts: number;
    readonly steps: number;
    /** Of the wall clock, without the start of browsers. */
    readonly durationMs: number;
    /** Null where no cap bounds it. */
    readonly tokens: number | null;
    /** US dollars; null where it is not known. */
    readonly costUsd: number | null;
  };
  readonly caps: {
    readonly maxTokens?: number;
    readonly maxCost?: number;
    readonly maxRunTokens?: number;
    readonly maxRunCost?: number;
  };
  /** Of the resolved inputs: a run with the same hash that has not finished is continued. */
  readonly inputs: string;
}

export interface PreviewChoices {
  readonly retries?: number | undefined;
  /** Caps on the cost are not enforced. */
  readonly allowUnknownCost?: boolean | undefined;
}

export function previewRun(run: TaskRun, { retries = 0, allowUnknownCost }: PreviewChoices = {}): RunPreview {
  const { plan, concurrency, agent, profile, isolation, budget } = run;
  const { attempt, run: whole } = budget;
  const episodes = plan.cells.length;
  const attempts = episodes * (1 + retries);
  const tasks = [...run.tasks.values()].map(({ task }) => task);
  const perCell = plan.trials * (1 + retries);
  const durations = tasks.map(({ maxDurationMs }) => maxDurationMs * perCell);
  const isFree = agent.kind === 'scripted' && run.imageModel === undefined && run.grading === undefined;
  const cost = allowUnknownCost === true ? null : smaller(timesOf(attempt.maxCost, attempts), whole.maxCost);
  return {
    tasks: tasks.length,
    trials: plan.trials,
    episodes,
    ...(plan.shard ? { shard: `${plan.shard.index}/${plan.shard.of}` } : {}),
    workers: Math.min(concurrency, episodes),
    agent: agent.kind,
    server: profile.name,
    isolation,
    retries,
    worstCase: {
      attempts,
      steps: sum(tasks.map(({ maxSteps }) => maxSteps * perCell)),
      durationMs: Math.ceil(sum(durations) / Math.max(1, Math.min(concurrency, episodes))),
      tokens: isFree ? 0 : smaller(timesOf(attempt.maxTokens, attempts), whole.maxTokens),
      costUsd: isFree ? 0 : cost,
    },
    caps: {
      ...attempt,
      ...(whole.maxTokens === undefined ? {} : { maxRunTokens: whole.maxTokens }),
      ...(whole.maxCost === undefined ? {} : { maxRunCost: whole.maxCost }),
    },
    inputs: plan.inputs.hash,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function timesOf(cap: number | undefined, times: number): number | undefined {
  return cap === undefined ? undefined : cap * times;
}

function smaller(one: number | undefined, other: number | undefined): number | null {
  if (one === undefined || other === undefined) return one ?? other ?? null;
  return Math.min(one, other);
}
