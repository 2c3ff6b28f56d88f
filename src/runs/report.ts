/** The report of a run, folded from its results one after the other. `report.json` holds nothing that varies from run to run but its four keys of time and name. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import type {
  Delegation,
  EpisodeResult,
  JournalEvent,
  RecoveryFork,
  RecoverySearches,
  RoleMetrics,
  RunPlan,
} from '../events/index.ts';
import { readJournal } from '../journal/index.ts';
import {
  type OutcomeClass,
  passRates,
  type Rate,
  type RunStatistics,
  runStatistics,
  type SampledTrial,
} from '../metrics/index.ts';
import { GraderFold, type GraderSummary, gradedTask } from '../view/index.ts';
import { CoverageFold, nameOf, type PlannedCell, type RunCoverage } from './run-coverage.ts';
import { sampledCell, sampledTask } from './sampled-trial.ts';
import { type QuarantinedTask, TaskPasses } from './task-passes.ts';

export interface RunReport extends ReportHead {
  episodes: ReportedEpisode[];
}

/** Everything but the list. */
export interface ReportHead {
  runId: string;
  startedAt: string;
  endedAt: string;
  durationMs: number;
  format: 'waymark.report.v1';
  agent: string;
  server: { name: string; version: string; transport: string; isolation: string };
  browser: { product: string; kind: string };
  summary: RunSummary;
  /** Some of it was made with the test model: it shows how the harness works, and measures no model. */
  testModel?: true;
  /** Made with recovery search. */
  recoverySearch?: true;
}

export interface RunSummary extends RunCoverage {
  /** What was planned, under the name that the first reports gave it. */
  episodes: number;
  passed: number;
  /** Over everything that was planned. */
  strict: Rate;
  /** Over what was not a fault of harness, server or browser. */
  validOnly: Rate;
  /** Of what finished or could not be begun. */
  outcomes: Partial<Record<OutcomeClass, number>>;
  /** Attempts whose contract held before the agent did anything; absent where there is none. */
  held_at_start?: number;
  /** Attempts whose agent said done while the contract says otherwise; absent where there is none. */
  falselyClaimed?: number;
  /** Tasks of which several trials have finished, and none has passed; absent where there is none. */
  neverPassed?: readonly string[];
  /** Tasks that are counted apart, in nothing above; absent where there is none. */
  quarantined?: readonly QuarantinedTask[];
  /** Side by side, and how far each agrees with the one that decides; absent where only contracts have graded. */
  graders?: GraderSummary[];
  /** Over all tasks and by task. What a clock or a crash has a say in is only in `reports/<run-id>.json`. */
  statistics: RunStatistics;
}

/**
 * An episode without what a clock, a crash or another episode in the same browser has a say in: durations, scores of pages that were caught
 * in the middle of a change, warnings, and which attempt it was.
 */
export type ReportedEpisode = Omit<
  EpisodeResult,
  | 'runId'
  | 'attempt'
  | 'durationMs'
  | 'environment'
  | 'artifacts'
  | 'tokens'
  | 'warnings'
  | 'screenshots'
  | 'recovery'
  | 'reward'
  | 'wandering'
  | 'roles'
  | 'delegations'
  | 'recoverySearch'
> & {
  roles?: Omit<RoleMetrics, 'reward' | 'thinkingMs' | 'toolMs'>[];
  delegations?: Pick<Delegation, 'executorId' | 'instruction' | 'status' | 'summary' | 'stepsUsed'>[];
  recoverySearch?: Omit<RecoverySearches, 'durationMs' | 'forks'> & { forks: ReportedFork[] };
};
type ReportedFork = Omit<RecoveryFork, 'durationMs' | 'candidates'> & {
  candidates: Omit<RecoveryFork['candidates'][number], 'durationMs'>[];
};

/** Results of the test model are always labelled. */
export const TEST_MODEL_NOTE = 'Made with the test model: this shows how the harness works, and measures no model.';

/** The harness helped: such a run must not be compared with one that had no help. */
export const RECOVERY_NOTE =
  'With recovery search: after a failure or a stall the harness tried other calls and carried out the best, so that the results are not the agent’s alone. Compare them only with runs that were made with recovery search, too.';

export async function readEvents(file: string, onLine?: (bytes: Buffer) => void): Promise<JournalEvent[]> {
  const events: JournalEvent[] = [];
  for await (const event of readJournal(file, { onLine })) if (event.type !== 'unknown') events.push(event);
  return events;
}

/** `report.json` of a run's folder, whole. */
export function readReport(root: string): RunReport {
  return JSON.parse(readFileSync(path.join(root, 'report.json'), 'utf8')) as RunReport;
}

export interface RunTimes {
  plan: Pick<RunPlan, 'runId' | 'createdAt'>;
  endedAt?: string | undefined;
}

/** Counts results as they come; holds none of them. */
export class ReportFold {
  readonly #classes: OutcomeClass[] = [];
  readonly #coverage = new CoverageFold();
  readonly #tasks = new TaskPasses();
  readonly #quarantine = new TaskPasses();
  readonly #isApart: ReadonlySet<string>;
  #passed = 0;
  #falselyClaimed = 0;
  #heldAtStart = 0;
  #testModel = false;
  #recoverySearch = false;
  readonly #graders = new GraderFold();
  readonly #trials = new Map<string, SampledTrial>();
  #first: Pick<EpisodeResult, 'agent' | 'server' | 'environment'> | undefined;

  /** Its tasks are counted apart. */
  constructor(quarantined: RunPlan['quarantined'] = {}) {
    this.#isApart = new Set(Object.keys(quarantined));
  }

  add(result: EpisodeResult): void {
    if (this.#isApart.has(result.taskId)) {
      this.#first ??= result;
      this.#quarantine.add(result);
      return;
    }
    const { outcome, success, agent, server, environment, falselyClaimed, testModel, recoverySearch } = result;
    this.#coverage.add(result);
    if (result.held_at_start) this.#heldAtStart++;
    this.#testModel ||= testModel === true;
    this.#recoverySearch ||= recoverySearch !== undefined;
    this.#first ??= { agent, server, environment };
    this.#trials.set(nameOf({ caseId: result.taskId, trial: result.trial }), sampledTask(result));
    if (result.interrupted) return;
    if (falselyClaimed) this.#falselyClaimed++;
    this.#classes.push(outcome);
    this.#graders.add(gradedTask(result));
    this.#tasks.add(result);
    if (success) this.#passed++;
  }

  /** Over the cells of the plan. One that could not be begun has the class of what kept it from it; all stay in the strict rate. */
  summary(all: readonly PlannedCell[]): RunSummary {
    const cells = all.filter(({ quarantine }) => !quarantine);
    const coverage = this.#coverage.of(cells);
    const classes = [...this.#classes, ...cells.flatMap(({ notBegun }) => (notBegun ? [notBegun.outcome] : []))];
    const outcomes: Partial<Record<OutcomeClass, number>> = {};
    for (const outcome of classes) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    const claims = this.#falselyClaimed > 0 ? { falselyClaimed: this.#falselyClaimed } : {};
    const graders = this.#graders.summary();
    return {
      episodes: coverage.planned,
      passed: this.#passed,
      ...coverage,
      ...passRates(classes, coverage.planned),
      outcomes,
      ...(this.#heldAtStart > 0 ? { held_at_start: this.#heldAtStart } : {}),
      ...claims,
      ...withNames('neverPassed', this.#tasks.never()),
      ...withNames('quarantined', this.#quarantine.quarantined(all)),
      ...(graders ? { graders } : {}),
      statistics: this.#statistics(cells, false),
    };
  }

  #statistics(cells: readonly PlannedCell[], withTimes: boolean): RunStatistics {
    const trials = cells.map((cell) => this.#trials.get(nameOf(cell)) ?? sampledCell(cell));
    return runStatistics(trials, { withTimes });
  }

  /** The same with what a clock or a crash has a say in. */
  withTimes(head: ReportHead, cells: readonly PlannedCell[]): ReportHead {
    return { ...head, summary: { ...head.summary, statistics: this.#statistics(cells, true) } };
  }

  head({ plan, endedAt }: RunTimes, cells: readonly PlannedCell[]): ReportHead {
    const startedAt = new Date(plan.createdAt);
    const ended = endedAt === undefined ? startedAt : new Date(endedAt);
    const first = this.#first;
    return {
      runId: plan.runId,
      startedAt: startedAt.toISOString(),
      endedAt: ended.toISOString(),
      durationMs: ended.getTime() - startedAt.getTime(),
      format: 'waymark.report.v1',
      agent: first?.agent.kind ?? 'none',
      server: {
        name: first?.server.name ?? '',
        version: first?.server.version ?? '',
        transport: first?.server.transport ?? '',
        isolation: first?.server.isolation ?? '',
      },
      browser: first?.environment.browser ?? { product: '', kind: '' },
      summary: this.summary(cells),
      ...(this.#testModel ? { testModel: true } : {}),
      ...(this.#recoverySearch ? { recoverySearch: true } : {}),
    };
  }
}

function withNames<N extends string, T>(name: N, list: readonly T[]): Partial<Record<N, readonly T[]>> {
  return list.length === 0 ? {} : ({ [name]: list } as Record<N, readonly T[]>);
}

export function reported(result: EpisodeResult): ReportedEpisode {
  const {
    runId: _runId,
    attempt: _attempt,
    durationMs: _durationMs,
    environment: _environment,
    artifacts: _artifacts,
    tokens: _tokens,
    warnings: _warnings,
    screenshots: _screenshots,
    recovery: _recovery,
    reward: _reward,
    wandering: _wandering,
    roles,
    delegations,
    recoverySearch,
    ...rest
  } = result;
  const team = { roles: roles?.map(withoutRoleTimes), delegations: delegations?.map(asked) };
  const search = recoverySearch ? { recoverySearch: withoutDurations(recoverySearch) } : {};
  return withoutTimes(withoutTabIds({ ...rest, ...team, ...search })) as ReportedEpisode;
}

function withoutDurations({ durationMs: _whole, forks, ...counts }: RecoverySearches) {
  return {
    ...counts,
    forks: forks.map(({ durationMs: _search, candidates, ...fork }) => ({
      ...fork,
      candidates: candidates.map(({ durationMs: _replay, ...candidate }) => candidate),
    })),
  };
}

function withoutRoleTimes({ reward: _reward, thinkingMs: _thinking, toolMs: _tool, ...row }: RoleMetrics) {
  return row;
}

function asked({ executorId, instruction, status, summary, stepsUsed }: Delegation) {
  return { executorId, instruction, status, summary, stepsUsed };
}

/** Tabs are named by the browser at random; here by their order. */
function withoutTabIds(value: unknown): unknown {
  const names = new Map<string, string>();
  const text = JSON.stringify(value).replaceAll(/"[0-9A-F]{32}"/g, (id) => {
    const name = names.get(id) ?? `"tab-${names.size + 1}"`;
    names.set(id, name);
    return name;
  });
  return JSON.parse(text);
}

/** Evidence names moments (of a response, of a fact); two runs of the same thing differ in them and in nothing else. */
function withoutTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'ts')
      .map(([key, inner]) => [key, withoutTimes(inner)]),
  );
}
