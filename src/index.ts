/**
 * Waymark as a library: a task, an agent, a run. The same run as that of `waymark run`, with an agent of your own.
 * @example
 * import { defineAgent, defineTask, run } from 'waymark';
 *
 * const task = defineTask({
 *   id: 'greet',
 *   title: 'Greet',
 *   startUrl: 'http://127.0.0.1:8080/',
 *   goal: 'Press the button.',
 *   success: { kind: 'dom_text', selector: '#said', contains: 'Hello' },
 * });
 * const agent = defineAgent({
 *   kind: 'presses-the-button',
 *   async run(session) {
 *     await session.step({ tool: 'interact', arguments: { action: 'click', selector: '#greet' } });
 *     return {};
 *   },
 * });
 * const { report, folder } = await run({ tasks: [task], agent });
 * console.log(`${report.summary.passed} of ${report.summary.episodes} passed: ${folder}`);
 */
import { loadTasks, type TaskInput } from './cases/index.ts';
import { version } from './cli/version.ts';
import type { Agent, AgentHooks } from './episode/index.ts';
import { WaymarkError } from './errors/index.ts';
import type { Grader } from './graders/index.ts';
import type { ModelChoice } from './models/index.ts';
import {
  choiceOf,
  executeRun,
  FolderRunStore,
  type RunProgress,
  type RunReport,
  readReport,
  resolveRun,
  runTarget,
  type TaskChoices,
  writeReports,
} from './runs/local.ts';

export type { EpisodeTaskSpec as Task, TaskInput } from './cases/index.ts';
export { defineTask } from './cases/schemas.ts';
export { defineConfig, type WaymarkConfig } from './cli/config.ts';
export type { Contract } from './contracts/index.ts';
export type {
  Agent,
  AgentHooks,
  AgentOutcome,
  Allowance,
  Budget,
  Session,
  SessionTask,
  Spending,
  StepOptions,
  ToolCall,
} from './episode/index.ts';
export type { AgentResult, AttemptMetadata, EpisodeResult, Grade, JournalEvent, TraceMessage } from './events/index.ts';
export {
  isAssistantMessage,
  isDelegation,
  isDelegationResult,
  isErrorMessage,
  isToolCall,
  isToolResult,
  isUserMessage,
} from './events/index.ts';
export {
  type Assessment,
  type AttemptReader,
  defineGrader,
  type GradedCase,
  type Grader,
  type GraderContext,
  type Judge,
  type JudgePicture,
  type JudgeRequest,
} from './graders/index.ts';
export { readMessages } from './journal/index.ts';
export type { RunProgress, RunReport } from './runs/local.ts';
export { readAgentResult } from './runs/local.ts';
export type { ToolInfo, ToolResult } from './tools/index.ts';
export { WaymarkError };

/**
 * For agents in TypeScript and JavaScript: types and completion, nothing else.
 * @example
 * const reader = defineAgent({
 *   kind: 'reader',
 *   async run(session) {
 *     const { text } = await session.step({ tool: 'read_page' });
 *     return { answer: text.slice(0, 100) };
 *   },
 * });
 */
export function defineAgent(agent: Agent): Agent {
  return agent;
}

/** The flags of `waymark run`, by the same names. */
export interface RunOptions extends Omit<TaskChoices, 'tasks' | 'agent' | 'version' | 'now' | 'grading'> {
  /** Tasks, task files, or folders of them. */
  readonly tasks: readonly (TaskInput | string)[];
  /**
   * An agent of your own, or the name of one that comes with Waymark, as `--agent` takes it. Without it, the oracle of each task is replayed.
   * One agent runs all tasks, several at once with `concurrency`.
   */
  readonly agent?: Agent | string | undefined;
  /** The folder of the run (`.waymark/runs/<run id>`). A folder that has a run already is refused, unless `resume` is given. */
  readonly out?: string | undefined;
  /** Go on with the run of the same inputs in `out`: finished attempts stay, and those that ended by a fault that was not the agent's are made again. */
  readonly resume?: boolean | undefined;
  /** After the first attempt that did not pass, nothing new is begun. */
  readonly failFast?: boolean | undefined;
  /** Once it is aborted, nothing new is begun; what runs is ended and written. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
  /** Beside those that the tasks name: graders of your own (`defineGrader`), names and files as `waymark grade` takes them. */
  readonly graders?: readonly (string | Grader)[] | undefined;
  /** The model that judges, where a grader needs one; without it, such graders are skipped. */
  readonly judge?: ModelChoice | undefined;
  /** Functions that watch the agent at work: its turns, delegations and calls. */
  readonly hooks?: AgentHooks | undefined;
}

export interface FinishedRun {
  readonly report: RunReport;
  /** Journals, pictures and reports: what `waymark report`, `verify` and `rescore` take. */
  readonly folder: string;
}

/**
 * Runs tasks with an agent and a tool server in a browser that Waymark starts. Resolves when every attempt has ended, passed or not; rejects
 * when the tasks are wrong or an attempt could not be begun.
 * @example
 * const { report } = await run({ tasks: ['tasks/'], agent, server: 'playwright', trials: 3, out: 'runs/today' });
 * for (const { taskId, status } of report.episodes) console.log(taskId, status);
 */
export async function run(options: RunOptions): Promise<FinishedRun> {
  const {
    tasks,
    agent,
    out,
    resume = false,
    failFast,
    signal,
    onProgress,
    hooks,
    graders,
    judge,
    ...choices
  } = options;
  const files = tasks.filter((task) => typeof task === 'string');
  const given = tasks.filter((task) => typeof task !== 'string');
  const env = choices.env ?? process.env;
  const resolved = await resolveRun({
    ...choices,
    env,
    tasks: [...files, ...(given.length === 0 ? [] : await loadTasks(given))],
    grading: { graders, judge, folder: process.cwd() },
    agent: typeof agent === 'object' ? choiceOf(agent) : agent,
    version: version(),
  });
  const target = runTarget(resolved, { out, resume, run: undefined, cwd: process.cwd() });
  using store = new FolderRunStore(target.root);
  const { notBegun } = await executeRun(target.run, {
    store,
    isResumed: target.isResumed,
    isEnded: target.isEnded,
    env,
    signal,
    onProgress,
    hooks,
    failFast,
    retries: choices.retries,
    retryOn: choices.retryOn,
  });
  await writeReports(target.root);
  const [first] = notBegun;
  if (first) throw new WaymarkError({ code: 'internal', message: first.reason });
  return { report: readReport(target.root), folder: target.root };
}
