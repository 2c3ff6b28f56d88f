/** The result of an episode: a pure fold of its journal. Reports, the database and pages are made from it, and can be made again. */

import type { EpisodeTaskSpec } from '../cases/schemas.ts';
import { type Evidence, isForgeable } from '../contracts/index.ts';
import {
  type EpisodeMetrics,
  type EpisodeStatus,
  episodeMetrics,
  episodeTokens,
  isAgentOutcome,
  type OutcomeClass,
  type Recovery,
  type TokenCounter,
  type Wandering,
} from '../metrics/index.ts';
import { REWARD_CONSTANTS } from '../reward/index.ts';
import { type BlockedRequests, blockedRequests } from './blocked-requests.ts';
import { CUT_OFF } from './cut-off.ts';
import { decide, deciderOf, type GradeOfResult, gradeOfResult, latestByGrader } from './decided-outcome.ts';
import { type Delegation, DelegationFold } from './delegations.ts';
import { type EventOf, isStep, type JournalEvent, laneOf, type TaskStart } from './events.ts';
import { type FailureOrigin, failureOrigin } from './failure-origin.ts';
import type { Grade } from './grade.ts';
import { metricEvents } from './metric-events.ts';
import { type RecoverySearches, recoverySearches } from './recovery-searches.ts';
import { RoleFold, type RoleMetrics } from './roles.ts';
import { UsageFold, type UsageTotals } from './usage-totals.ts';
import { usesTestModel } from './uses-test-model.ts';
import { VerdictFold } from './verdict-fold.ts';

export interface EpisodeResult {
  runId: string;
  taskId: string;
  /** How the attempt ended, by its contract. */
  status: EpisodeStatus;
  /** Whether it passed: by the contract, or by the grader that decides. */
  success: boolean;
  steps: number;
  durationMs: number;
  toolCalls: number;
  /** Errors returned by the tool server, whichever it is. */
  openchromeErrors: number;
  noProgressEpisodes: number;
  finalUrl: string;
  /** The evidence of the last evaluation, where it does not pass. */
  failedContract?: Evidence;
  artifacts: {
    eventsJsonl: string;
    reportJson: string;
    screenshotDir?: string;
    /** Ours, beside these. */
    messagesJsonl?: string;
    ledgerJsonl?: string;
    metadataJson?: string;
  };

  // Ours, beside these.
  trial: number;
  attempt: number;
  outcome: OutcomeClass;
  /** A sentence: why it ended. */
  reason: string;
  answer?: string;
  finalVerdict: 'pass' | 'fail' | 'inconclusive' | 'not_judged';
  lastToolCall?: { tool: string; arguments: unknown };
  firstTool: string | null;
  wandering: Wandering;
  recovery: Recovery;
  reward: EpisodeMetrics['reward'];
  tokens?: ReturnType<typeof episodeTokens>;
  screenshots: { attempted: number; written: number };
  hashes: TaskStart['hashes'];
  server: TaskStart['server'];
  agent: TaskStart['agent'];
  environment: TaskStart['environment'];
  warnings: string[];
  // From here on: there where there is something to say, so that the result of an older journal stays as it is.
  /** The run was stopped or killed while the attempt went on: it has no outcome of its own, and is made again when the run is resumed. */
  interrupted?: true;
  /** The contract held at the start, before the agent did anything. */
  held_at_start?: true;
  /** The contract asks the page's script, whose values an agent that may run code can make up. */
  forgeable?: true;
  /** What the agent said of itself; absent where something else ended the attempt. */
  claimed?: 'done' | 'gave_up';
  /** Whether the first tool was the task's `expectedFirstTool`; absent where the task names none, or nothing was called. */
  firstToolAsExpected?: boolean;
  /** It said done, and the contract says otherwise. */
  falselyClaimed?: true;
  /** Made with the test model: a trial of the harness and no measurement of a model. */
  testModel?: true;
  /** Of the agent's models, all roles together; absent where none was called. */
  usage?: UsageTotals;
  /** The agent or the orchestrator first, then each executor; absent where a scripted agent did everything by itself. */
  roles?: RoleMetrics[];
  /** In the order in which they were made. */
  delegations?: Delegation[];
  /** Of an orchestrator with executors that failed, where a rule says it. */
  failureOrigin?: FailureOrigin;
  /** The latest grade of each grader, beside the contract's verdict; absent where there is none. */
  grades?: GradeOfResult[];
  /** The grader whose verdict decides; absent where it is the contract. */
  decidedBy?: string;
  /** Made with recovery search: the harness helped, and the result is not the agent's alone. */
  recoverySearch?: RecoverySearches;
  /** Requests that could have changed something on a host that the task does not name, and were not sent. */
  blockedRequests?: BlockedRequests;
}

export interface ResultOptions {
  artifacts: EpisodeResult['artifacts'];
  /** Length of the task's oracle, where it has one. */
  oracleSteps?: number | undefined;
  /** What graders said of the attempt, oldest first. */
  grades?: readonly Grade[] | undefined;
  /** Counting tokens loads a large table; without a counter they are left out. */
  tokens?: TokenCounter | undefined;
}

/** The source of the warning that the contract held at the start. Journals from before it stay as they are. */
export const HELD_AT_START = 'held_at_start';

/** A journal without a `stop` was cut off by a crash: that is the harness's fault, and is said so. */
export function episodeResult(events: readonly JournalEvent[], options: ResultOptions): EpisodeResult {
  const start = find(events, 'start')[0];
  if (!start) throw new Error('The journal has no start event.');
  if (start.kind === 'question') throw new Error('A question has no result of an episode: its grade says how it went.');
  const stop = find(events, 'stop').at(-1);
  const task = start.task as EpisodeTaskSpec;
  const metrics = episodeMetrics(metricEvents(events), {
    oracleSteps: options.oracleSteps,
    expectedFirstTool: task.expectedFirstTool,
  });
  const verdicts = new VerdictFold();
  for (const verdict of find(events, 'contract_eval')) verdicts.add(verdict);
  const { last } = verdicts;
  const decisive = last ? laneOf(last) : undefined;
  const calls = find(events, 'tool_call');
  const lastCall = calls.findLast(isStep) ?? calls.at(-1);
  const pictures = find(events, 'screenshot');
  const warnings = find(events, 'warning');
  const { roles, delegations, usage } = teamOf(events);
  const ended = { outcome: metrics.outcome?.class ?? 'env_error', reason: stop?.reason ?? CUT_OFF };
  const { grades = [] } = options;
  const decidedBy = deciderOf(task);
  const { outcome, reason } = decidedBy === undefined ? ended : decide(ended, decidedBy, grades);
  const isTeam = roles[0]?.role === 'orchestrator';
  const origin = isTeam && outcome !== 'passed' && isAgentOutcome(outcome) ? failureOrigin(delegations) : undefined;
  const status = stop?.status ?? 'tool_error';
  const recoverySearch = recoverySearches(start, events);
  const blocked = blockedRequests(events);
  return {
    runId: start.runId,
    taskId: start.taskId,
    status,
    success: decidedBy === undefined ? status === 'passed' : outcome === 'passed',
    steps: metrics.steps,
    durationMs: metrics.durationMs,
    toolCalls: metrics.toolCalls,
    openchromeErrors: metrics.errors,
    noProgressEpisodes: metrics.noProgressEpisodes,
    finalUrl:
      find(events, 'evidence').findLast((seen) => decisive === undefined || laneOf(seen) === decisive)?.url ?? '',
    ...(last?.evidence && last.verdict !== 'pass' && status !== 'passed' ? { failedContract: last.evidence } : {}),
    artifacts: options.artifacts,
    trial: start.trial,
    attempt: start.attempt,
    outcome,
    reason,
    ...(stop?.answer === undefined ? {} : { answer: stop.answer }),
    finalVerdict: last?.verdict ?? 'not_judged',
    ...(lastCall ? { lastToolCall: { tool: lastCall.tool, arguments: lastCall.arguments } } : {}),
    firstTool: metrics.firstTool,
    wandering: metrics.wandering,
    recovery: metrics.recovery,
    reward: comparable(metrics.reward, status, events),
    ...(options.tokens ? { tokens: episodeTokens(metricEvents(events), options.tokens) } : {}),
    screenshots: {
      attempted: pictures.length,
      written: new Set(pictures.flatMap(({ ok, file }) => (ok && file !== undefined ? [file] : []))).size,
    },
    hashes: start.hashes,
    server: start.server,
    agent: start.agent,
    environment: start.environment,
    warnings: warnings.map(({ source, message }) => `${source}: ${message}`),
    ...(stop === undefined || stop.interrupted ? { interrupted: true } : {}),
    ...(warnings.some(({ source }) => source === HELD_AT_START) ? { held_at_start: true } : {}),
    ...(task.success && isForgeable(task.success) ? { forgeable: true } : {}),
    ...(stop?.claimed === undefined ? {} : { claimed: stop.claimed }),
    ...(metrics.firstToolAsExpected === null ? {} : { firstToolAsExpected: metrics.firstToolAsExpected }),
    ...(stop?.claimed === 'done' && outcome === 'failed' ? { falselyClaimed: true } : {}),
    ...(usesTestModel(start.agent, usage) ? { testModel: true } : {}),
    ...(usage ? { usage } : {}),
    ...(isTeam || usage || roles.length > 1 || roles.some(({ turns }) => turns > 0) ? { roles } : {}),
    ...(delegations.length > 0 ? { delegations } : {}),
    ...(origin ? { failureOrigin: origin } : {}),
    ...(grades.length > 0 ? { grades: latestByGrader(grades).map(gradeOfResult) } : {}),
    ...(decidedBy === undefined ? {} : { decidedBy }),
    ...(recoverySearch ? { recoverySearch } : {}),
    ...(blocked ? { blockedRequests: blocked } : {}),
  };
}

/** An attempt that ended by the clock, a guard or a fault did not pass, whatever its page shows at the end. */
function comparable(
  reward: EpisodeMetrics['reward'],
  status: EpisodeStatus,
  events: readonly JournalEvent[],
): EpisodeMetrics['reward'] {
  if (!reward || status === 'passed') return reward;
  // Sums of earlier scorers have no bound.
  const isBounded = find(events, 'reward').some(({ contribution }) => contribution !== undefined);
  return isBounded ? { ...reward, sum: Math.min(reward.sum, REWARD_CONSTANTS.sumLeaves.value) } : reward;
}

function teamOf(events: readonly JournalEvent[]) {
  const folds = { roles: new RoleFold(), delegations: new DelegationFold(), usage: new UsageFold() };
  for (const event of events) for (const fold of Object.values(folds)) fold.add(event);
  return { roles: folds.roles.list(), delegations: folds.delegations.list(), usage: folds.usage.total() };
}

function find<T extends JournalEvent['type']>(events: readonly JournalEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}
